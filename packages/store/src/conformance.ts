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

const said = (id: LoopId, text: string) => eventOf(id, { type: "loop.said", text, now: false });

/** A loop as it was elsewhere. */
async function* brought(id: LoopId): AsyncGenerator<DurableEvent, void, void> {
  yield* [
    created(id),
    said(id, "hear me"),
    eventOf(id, { type: "loop.unsaid", said: 2 }),
    eventOf(id, { type: "loop.stopped", reason: "there" }),
  ];
}

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
    expect((await journal.listRaw({ limit: 2 })).map((json) => JSON.parse(json))).toEqual(
      await journal.list({ limit: 2 }),
    );
    const [alpha] = ids;
    await journal.append(alpha as LoopId, () => [notice(alpha as LoopId, "again")]);
    expect(await names({ limit: 1 })).toEqual(["alpha"]);
    expect((await journal.list({ limit: 1 }))[0]?.state.lastActivityAt).toBe(
      (await journal.find(alpha as LoopId))?.lastActivityAt as string,
    );
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

  conforms("some types are read from either end, as if the others were not there", async (_path, journal) => {
    const id = newLoopId();
    await journal.append(id, () => [
      created(id),
      ...["a", "b", "c"].flatMap((text) => [notice(id, text), said(id, text)]),
    ]);
    const types = ["loop.notice", "loop.said"] as const;
    const texts = async (query: Parameters<Journal["read"]>[0]) =>
      (await journal.read({ loopId: id, types: [...types], ...query })).map(
        (e) => `${e.type}:${"text" in e && e.text}`,
      );
    expect(await texts({ limit: 3 })).toEqual(["loop.notice:a", "loop.said:a", "loop.notice:b"]);
    expect(await texts({ limit: 3, newest: true })).toEqual(["loop.said:b", "loop.notice:c", "loop.said:c"]);
    expect(await texts({ types: ["loop.said", "loop.said"] })).toEqual(["loop.said:a", "loop.said:b", "loop.said:c"]);
    expect(await texts({ types: [] })).toEqual([]);
    expect(await texts({ loopId: undefined })).toHaveLength(6);
    const middle = (await journal.read({ loopId: id }))[3]?.seq;
    expect(await journal.tally({ loopId: id, types: [...types] })).toBe(6);
    expect(await journal.tally({ loopId: id, types: ["loop.said"], after: middle })).toBe(2);
    expect(await journal.tally({ loopId: id, types: ["loop.said"], before: middle })).toBe(1);
  });

  conforms("what is read raw is what is stored", async (_path, journal) => {
    const id = newLoopId();
    await journal.append(id, () => [created(id), notice(id, 'quotes " and \u2028')]);
    const raw = await journal.readRaw({ loopId: id, newest: true });
    expect(raw.map(({ seq, json }) => ({ ...JSON.parse(json), seq }))).toEqual(await journal.read({ loopId: id }));
  });

  conforms("text is found in what people read, newest first, without regard to case", async (_path, journal) => {
    const id = newLoopId();
    const tool = {
      id: "t",
      name: "bash",
      input: { command: 'grep "ÄPFEL" | wc' },
      output: "none",
      outputBytes: 4,
      status: "completed" as const,
      durationMs: 1,
    };
    await journal.append(id, () => [
      created(id, "äpfel in the name only"),
      notice(id, "line one\nzwei äpfel"),
      eventOf(id, { type: "loop.iteration.start", iteration: 3 }),
      eventOf(id, { type: "loop.tool_call", iteration: 3, tool }),
      said(id, "keine Birnen"),
    ]);
    const { hits, next } = await journal.search(id, { text: "Äpfel" });
    expect(hits.map(({ type, iteration }) => [type, iteration])).toEqual([
      ["loop.tool_call", 3],
      ["loop.notice", 0],
    ]);
    expect(next).toBeNull();
    expect(hits.map(({ excerpt, start, length }) => excerpt.slice(start, start + length))).toEqual(["ÄPFEL", "äpfel"]);
    expect(hits[1]?.excerpt).toBe("line one zwei äpfel");
    expect((await journal.search(id, { text: '"Äpfel"' })).hits).toHaveLength(1);
    expect((await journal.search(id, { text: "birnen" })).hits).toMatchObject([{ type: "loop.said", iteration: 3 }]);
    expect((await journal.search(id, { text: ".*" })).hits).toEqual([]);
    expect((await journal.search(newLoopId(), { text: "äpfel" })).hits).toEqual([]);
  });

  conforms("a search goes on where it left off", async (_path, journal) => {
    const id = newLoopId();
    await journal.append(id, () => [created(id), ...Array.from({ length: 70 }, (_, i) => notice(id, `needle ${i}`))]);
    const found: string[] = [];
    for (let before: number | null | undefined; before !== null; ) {
      const page = await journal.search(id, { text: "needle", before, limit: 30 });
      found.push(...page.hits.map(({ excerpt }) => excerpt));
      before = page.next;
    }
    expect(found).toEqual(Array.from({ length: 70 }, (_, i) => `needle ${69 - i}`));
  });

  conforms("settings are kept for all processes", async (path, journal) => {
    await using other = open(path);
    expect(await journal.settings()).toEqual({ backend: "opencode", models: {} });
    const settings = { backend: "claude" as const, models: { claude: { providerID: "anthropic", modelID: "opus" } } };
    await journal.saveSettings(settings);
    expect(await other.settings()).toEqual(settings);
  });

  conforms("[R-DATA-3] events from elsewhere become a loop, and watchers hear of its coming", async (path, journal) => {
    await using other = open(path);
    const [id, here] = [newLoopId(), newLoopId()];
    await journal.append(here, () => [created(here)]);
    const heard: string[] = [];
    journal.subscribe(({ event }) => heard.push(event.type));
    const everywhere: string[] = [];
    const came = Promise.withResolvers<void>();
    other.subscribe(({ event }) => {
      everywhere.push(event.type);
      if (event.type === "loop.stopped") came.resolve();
    });
    const view = await journal.takeIn(id, brought(id));
    expect(view).toMatchObject({ id, phase: { status: "stopped" }, said: [] });
    expect(await journal.find(id)).toEqual(view);
    expect(await other.find(id)).toEqual(view);
    expect(heard).toEqual(["loop.stopped"]);
    await came.promise;
    expect(everywhere.filter((type) => type !== "loop.created")).toEqual(["loop.stopped"]);
    const events = await journal.read({ loopId: id });
    expect(foldAll(null, events)).toEqual(view);
    expect(events.map(({ type }) => type)).toEqual(["loop.created", "loop.said", "loop.unsaid", "loop.stopped"]);
    expect((await journal.read({})).map(({ type }) => type)).toEqual(["loop.created", "loop.stopped"]);
    await journal.append(id, () => [notice(id, "and on")]);
    expect((await journal.list()).map((row) => row.config.id)).toEqual([id, here]);
  });

  conforms("[R-DATA-3] that a loop of the same id was deleted is no part of what comes in", async (_path, journal) => {
    const id = newLoopId();
    await journal.append(id, () => [created(id)]);
    await journal.erase(id, new Date());
    const view = await journal.takeIn(id, brought(id));
    const events = await journal.read({ loopId: id });
    expect(events.map(({ type }) => type)).toEqual(["loop.created", "loop.said", "loop.unsaid", "loop.stopped"]);
    expect(foldAll(null, events)).toEqual(view);
  });

  conforms("[R-DATA-3] events that end too early leave nothing behind", async (_path, journal) => {
    const id = newLoopId();
    const cut = async function* () {
      yield* brought(id);
      for (let n = 0; n < 1000; n++) yield notice(id, String(n));
      throw new RangeError("cut");
    };
    expect(await journal.takeIn(id, cut()).catch((error) => error.message)).toBe("cut");
    expect(await journal.read({ loopId: id })).toEqual([]);
    expect(await journal.find(id)).toBeNull();
    expect((await journal.takeIn(id, brought(id))).id).toBe(id);
    expect(await journal.takeIn(id, brought(id)).catch((error) => error.message)).toContain("already");
  });

  conforms(
    "[R-DATA-3] what is only half there is no loop, no news, and removed when it stays so",
    async (path, journal) => {
      const [id, next] = [newLoopId(), newLoopId()];
      const isHalf = Promise.withResolvers<void>();
      const half = async function* () {
        yield created(id);
        for (let n = 0; n < 1000; n++) yield notice(id, String(n));
        isHalf.resolve();
        await new Promise(() => {});
      };
      const dying = open(path);
      void dying.takeIn(id, half());
      await isHalf.promise;
      expect(await journal.find(id)).toBeNull();
      expect(await journal.list()).toEqual([]);
      expect(await journal.read({})).toEqual([]);
      expect(await journal.tally({ loopId: id, types: ["loop.notice"] })).toBeGreaterThan(0);
      await dying[Symbol.asyncDispose]();
      await journal.takeIn(next, brought(next));
      expect(await journal.tally({ loopId: id, types: ["loop.created", "loop.notice"] })).toBe(0);
      expect((await journal.list()).map((row) => row.config.id)).toEqual([next]);
    },
  );

  conforms("a process that runs loops can be found by the others", async (path, journal) => {
    await using other = open(path);
    const announced = await journal.announce({ url: "http://127.0.0.1:1" });
    expect(await other.services()).toEqual([{ pid: process.pid, url: "http://127.0.0.1:1" }]);
    await announced[Symbol.asyncDispose]();
    expect(await other.services()).toEqual([]);
  });
}
