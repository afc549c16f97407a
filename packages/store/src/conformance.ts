import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DurableEvent,
  type EventBody,
  foldAll,
  type Journal,
  type LoopConfig,
  LoopId,
  LoopSettings,
  type Published,
} from "@ralpher/contract";

/** A configuration for tests, valid and small. */
export function sampleConfig(id: LoopId, name = "sample"): LoopConfig {
  const at = "2026-01-01T00:00:00.000Z";
  const settings = LoopSettings.parse({ name, directory: "/tmp/sample", prompt: "do it" });
  return { ...settings, id, createdAt: at, updatedAt: at };
}

export const newLoopId = (): LoopId => LoopId.parse(crypto.randomUUID());

let tick = 0;
/** Complete an event with its loop and a time that rises. */
export function eventOf(loopId: LoopId, body: EventBody): DurableEvent {
  return { ...body, loopId, at: new Date(Date.UTC(2026, 0, 1) + tick++).toISOString() } as DurableEvent;
}

const created = (id: LoopId, name?: string) => eventOf(id, { type: "loop.created", config: sampleConfig(id, name) });
const notice = (id: LoopId, text: string) => eventOf(id, { type: "loop.notice", iteration: 0, text });

/** What every journal does. `open` opens the one journal at a path, as one of possibly many. */
export function journalConformance(name: string, open: (path: string) => Journal): void {
  const conforms = (title: string, body: (path: string, journal: Journal) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "ralpher-journal-"));
      try {
        const path = join(folder, "ralpher.db");
        await using journal = open(path);
        await body(path, journal);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });

  conforms("the stored view is the fold of the stored events", async (_path, journal) => {
    const id = newLoopId();
    await journal.append(id, () => [created(id), eventOf(id, { type: "loop.starting" })]);
    await journal.append(id, () => [notice(id, "one"), notice(id, "two")]);
    const events = await journal.read({ loopId: id });
    expect(events.map((e) => e.type)).toEqual(["loop.created", "loop.starting", "loop.notice", "loop.notice"]);
    expect(foldAll(null, events)).toEqual(await journal.find(id));
  });

  conforms("what decide refuses leaves nothing behind", async (_path, journal) => {
    const id = newLoopId();
    await journal.append(id, () => [created(id)]);
    const refuse = journal.append(id, () => {
      throw new RangeError("no");
    });
    expect(refuse).rejects.toThrow("no");
    expect(await journal.read({ loopId: id })).toHaveLength(1);
  });

  conforms("decide sees what another process wrote a moment ago", async (path, journal) => {
    await using other = open(path);
    const id = newLoopId();
    await journal.append(id, () => [created(id)]);
    await other.append(id, () => [eventOf(id, { type: "loop.starting" })]);
    const statuses: (string | undefined)[] = [];
    await journal.append(id, (view) => {
      statuses.push(view?.phase.status);
      return [];
    });
    expect(statuses).toEqual(["starting"]);
  });

  conforms(
    "events are published after they are stored, each once, in order, from every process",
    async (path, journal) => {
      await using other = open(path);
      const id = newLoopId();
      const heard: number[] = [];
      const stored: boolean[] = [];
      const all = Promise.withResolvers<void>();
      other.subscribe(({ durable, event }: Published) => {
        if (durable) heard.push(event.seq);
        if (heard.length === 60) all.resolve();
      });
      journal.subscribe((published) => {
        if (published.durable) {
          journal.latest().then((latest) => stored.push(latest >= published.event.seq));
        }
      });
      await journal.append(id, () => [created(id)]);
      for (let i = 0; i < 59; i++) await (i % 3 === 0 ? other : journal).append(id, () => [notice(id, `${i}`)]);
      await all.promise;
      expect(heard).toEqual((await journal.read({ loopId: id })).map((e) => e.seq));
      expect(heard).toEqual([...heard].sort((a, b) => a - b));
      expect(stored.every(Boolean)).toBe(true);
    },
  );

  conforms("ephemeral events reach subscribers and are not stored", async (_path, journal) => {
    const id = newLoopId();
    const heard: string[] = [];
    const stop = journal.subscribe(({ json }) => heard.push(json));
    const delta = {
      type: "loop.progress" as const,
      loopId: id,
      at: "2026-01-01T00:00:00.000Z",
      iteration: 1,
      messageId: "m",
      kind: "text" as const,
      content: "hel",
    };
    journal.broadcast(delta);
    stop();
    journal.broadcast(delta);
    expect(heard).toEqual([JSON.stringify(delta)]);
    expect(await journal.latest()).toBe(0);
  });

  conforms("[R-DATA-2] a loop belongs to one process at a time", async (path, journal) => {
    await using other = open(path);
    const id = newLoopId();
    const lease = await journal.lease(id);
    expect(lease).not.toBeNull();
    expect(await other.lease(id)).toBeNull();
    expect((await other.holder(id))?.pid).toBe(process.pid);
    await lease?.[Symbol.asyncDispose]();
    expect(await other.holder(id)).toBeNull();
    expect(await other.lease(id)).not.toBeNull();
  });

  conforms("[R-DATA-2] whoever no longer has a loop records nothing more about it", async (_path, journal) => {
    const id = newLoopId();
    await journal.append(id, () => [created(id)]);
    const lease = await journal.lease(id);
    expect(await journal.lease(id)).toBeNull();
    if (lease === null) throw new Error("nobody else has it");
    await journal.append(id, () => [notice(id, "mine")], lease);
    await lease[Symbol.asyncDispose]();
    const late = journal.append(id, () => [notice(id, "late")], lease);
    expect(await late.catch((error) => error.code)).toBe("loop_busy");
    expect(await journal.read({ loopId: id })).toHaveLength(2);
  });

  conforms("[R-CRUD-5] erasing a loop removes its events and tells everybody", async (_path, journal) => {
    const [id, kept] = [newLoopId(), newLoopId()];
    await journal.append(id, () => [created(id), notice(id, "secret")]);
    await journal.append(kept, () => [created(kept)]);
    const before = await journal.latest();
    const heard: string[] = [];
    journal.subscribe(({ event }) => heard.push(event.type));
    await journal.erase(id, new Date());
    await journal.erase(id, new Date());
    expect(heard).toEqual(["loop.deleted"]);
    expect(await journal.find(id)).toBeNull();
    expect((await journal.read({ loopId: id })).map((e) => e.type)).toEqual(["loop.deleted"]);
    expect(await journal.latest()).toBe(before + 1);
    expect((await journal.list()).map((row) => row.config.id)).toEqual([kept]);
  });

  conforms("[R-CRUD-2] lists are newest first, filtered, and paged", async (_path, journal) => {
    const ids: LoopId[] = [];
    for (const name of ["alpha", "beta", "50% off", "gamma"]) {
      const id = newLoopId();
      ids.push(id);
      await journal.append(id, () => [created(id, name)]);
    }
    const names = async (query?: Parameters<Journal["list"]>[0]) =>
      (await journal.list(query)).map((r) => r.config.name);
    expect(await names()).toEqual(["gamma", "50% off", "beta", "alpha"]);
    expect(await names({ text: "ALPH" })).toEqual(["alpha"]);
    expect(await names({ text: "%" })).toEqual(["50% off"]);
    expect(await names({ limit: 2, offset: 1 })).toEqual(["50% off", "beta"]);
    expect(await names({ status: ["running"] })).toEqual([]);
    expect(await journal.count({ status: ["idle"] })).toBe(4);
    expect(await journal.findByPrefix((ids[0] as string).slice(0, 13))).toEqual([ids[0] as LoopId]);
  });

  conforms("stretches are read from either end", async (_path, journal) => {
    const id = newLoopId();
    await journal.append(id, () => [created(id), ...["a", "b", "c", "d"].map((text) => notice(id, text))]);
    const texts = async (query: Parameters<Journal["read"]>[0]) =>
      (await journal.read({ loopId: id, types: ["loop.notice"], ...query })).map((e) => ("text" in e ? e.text : ""));
    const all = await journal.read({ loopId: id });
    const middle = all[2]?.seq ?? 0;
    expect(await texts({ limit: 2 })).toEqual(["a", "b"]);
    expect(await texts({ limit: 2, newest: true })).toEqual(["c", "d"]);
    expect(await texts({ after: middle })).toEqual(["c", "d"]);
    expect(await texts({ before: middle })).toEqual(["a"]);
  });

  conforms("a process that runs loops can be found by the others", async (path, journal) => {
    await using other = open(path);
    const announced = await journal.announce({ url: "http://127.0.0.1:1" });
    expect(await other.services()).toEqual([{ pid: process.pid, url: "http://127.0.0.1:1" }]);
    await announced[Symbol.asyncDispose]();
    expect(await other.services()).toEqual([]);
  });
}
