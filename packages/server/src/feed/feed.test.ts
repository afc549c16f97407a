import { describe, expect, test } from "bun:test";
import { LoopId } from "@ralpher/contract";
import { openGround, openLab, type Play, said } from "@ralpher/loop/lab";
import { ended, openAll, openIdleReader, readEvents, type Seen, serve } from "../stage.fixture.ts";
import { Feed } from "./feed.ts";

describe("the event stream", () => {
  test("[R-SSE-1, R-SSE-3] one loop's events, from its creation to its end, in the journal's order", async () => {
    await using all = await openAll();
    const { id } = (await all.call("POST", "/api/loops", { ...all.request, start: {} })).body.config;
    const events = await readEvents(`${all.server.url}/api/loops/${id}/events?after=0`, ended);
    const durable = events.filter((event) => event.id !== null);
    const stored = await all.lab.hub.read({ loopId: id });
    expect(durable.map((event) => ({ ...event.data, seq: event.id }))).toEqual(stored as never);
  });

  test("[R-SSE-3] whoever comes back with Last-Event-ID misses none and gets none twice", async () => {
    await using all = await openAll();
    const { id } = (await all.call("POST", "/api/loops", all.request)).body.config;
    const url = `${all.server.url}/api/loops/${id}/events`;
    const seen: number[] = [];
    const watch = async () => {
      while (true) {
        const headers: Record<string, string> = { "last-event-id": String(seen.at(-1) ?? 0) };
        const events = await readEvents(
          url,
          (some) => some.filter((event) => event.id !== null).length >= 3 || ended(some),
          headers,
        );
        seen.push(...events.flatMap((event) => (event.id === null ? [] : [event.id])));
        if (ended(events)) return;
      }
    };
    const watching = watch();
    await all.call("POST", `/api/loops/${id}/start`);
    await watching;
    expect(seen).toEqual((await all.lab.hub.read({ loopId: id })).map((event) => event.seq));
  });

  test("[R-SSE-3] an empty place to go on from is none: nothing is told again", async () => {
    await using all = await openAll();
    const { id } = (await all.call("POST", "/api/loops", all.request)).body.config;
    const first = async (path: string, headers: Record<string, string>) => {
      const watching = readEvents(all.server.url + path, (events) => events.length > 0, headers);
      // Whoever would be told of the past is told of it first; the others wait until something happens.
      const stirring = setInterval(() => void all.call("PATCH", `/api/loops/${id}`, { name: "again" }), 20);
      const [event] = await watching.finally(() => clearInterval(stirring));
      return event?.data.type;
    };
    for (const path of ["/api/events", `/api/loops/${id}/events`]) {
      const stream = `${path}?types=loop.created,loop.updated&`;
      expect(await first(`${stream}after=`, {})).toBe("loop.updated");
      expect(await first(`${stream}after=%20`, {})).toBe("loop.updated");
      expect(await first(stream, { "last-event-id": "" })).toBe("loop.updated");
      expect(await first(`${stream}after=0`, { "last-event-id": "" })).toBe("loop.created");
    }
    for (const [path, headers] of [
      ["/api/events?after=abc", {}],
      [`/api/loops/${id}/events?after=-1`, {}],
      [`/api/loops/${id}/events?after=1.5`, {}],
      ["/api/events", { "last-event-id": "abc" }],
    ] as const) {
      const { status, body } = await all.call("GET", path, undefined, headers);
      expect([path, status, body.error]).toEqual([path, 400, "invalid_input"]);
      expect(["after", "last-event-id"]).toContain(body.issues[0].path);
    }
  });

  test("[R-SSE-1] all loops in one stream, narrowed by type", async () => {
    await using all = await openAll();
    const watching = readEvents(
      `${all.server.url}/api/events?after=0&types=loop.created,loop.completed`,
      (events) => events.filter(({ data }) => data.type === "loop.completed").length === 2,
    );
    for (let n = 0; n < 2; n++) await all.call("POST", "/api/loops", { ...all.request, start: {} });
    const types = (await watching).map(({ data }) => data.type);
    expect(types.toSorted()).toEqual(["loop.completed", "loop.completed", "loop.created", "loop.created"]);
  });

  test("[R-SSE-1, R-SSE-3] one stream for some types of all loops and everything of one, which is resumed", async () => {
    await using all = await openAll();
    const create = async () => (await all.call("POST", "/api/loops", all.request)).body.config.id as LoopId;
    const [one, other] = [await create(), await create()];
    const created = (await all.lab.hub.read({ loopId: one })).map(({ seq }) => seq);
    const url = `${all.server.url}/api/events?types=loop.summary,loop.deleted&loop=${one}&after=0`;
    const begun = Promise.withResolvers<void>();
    const summed = Promise.withResolvers<void>();
    const isGone = (events: Seen[]) => events.some(({ data }) => data.type === "loop.deleted");
    const watching = readEvents(url, (events) => {
      if (events.some(({ data }) => data.type === "loop.created")) begun.resolve();
      if (events.some(({ data }) => data.loopId === other && data.type === "loop.summary")) summed.resolve();
      return isGone(events);
    });
    await begun.promise;
    for (const id of [other, one]) {
      await all.call("POST", `/api/loops/${id}/start`);
      await all.lab.atRest(id);
    }
    // Summaries are merged: of a loop that is deleted at once there may be none.
    await summed.promise;
    await all.call("POST", `/api/loops/${other}/discard`);
    await all.call("DELETE", `/api/loops/${other}`);
    const events = await watching;
    const of = (id: string) => events.filter(({ data }) => data.loopId === id);
    expect(new Set(of(other).map(({ data }) => data.type))).toEqual(new Set(["loop.summary", "loop.deleted"]));
    expect(of(one).flatMap(({ id }) => (id === null ? [] : [id]))).toEqual(
      (await all.lab.hub.read({ loopId: one })).map(({ seq }) => seq),
    );
    expect(of(one).some(({ data }) => data.type === "loop.progress")).toBe(true);

    const again = await readEvents(url, ended, { "last-event-id": String(created.at(-1)) });
    expect(again[0]?.id).toBeGreaterThan(created.at(-1) ?? 0);
    expect(again.every(({ data }) => data.loopId === one)).toBe(true);
  });

  test("[R-SSE-1] somebody who begins to watch in the middle of a sentence gets all of it", async () => {
    const middle = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await using all = await openAll({
      async *play() {
        yield { type: "message.delta", messageId: "m", kind: "text", delta: "The first half " };
        yield { type: "tool.start", callId: "t", name: "bash", input: { command: "ls" } };
        middle.resolve();
        await goOn.promise;
        yield { type: "message.delta", messageId: "m", kind: "text", delta: "and the second." };
        yield { type: "message.complete", messageId: "m", kind: "text", text: "The first half and the second." };
        return said("<promise>COMPLETE</promise>");
      },
    });
    const shown = Promise.withResolvers<void>();
    all.lab.hub.subscribe(({ event }) => event.type === "loop.progress" && shown.resolve());
    const { id } = (await all.call("POST", "/api/loops", { ...all.request, start: {} })).body.config;
    await middle.promise;
    await shown.promise;
    const begun = Promise.withResolvers<void>();
    const watching = readEvents(`${all.server.url}/api/loops/${id}/events`, (events) => {
      if (events.some(({ data }) => data.type === "loop.progress")) begun.resolve();
      return ended(events);
    });
    await begun.promise;
    goOn.resolve();
    const events = await watching;
    const first = events.find(({ data }) => data.type === "loop.progress")?.data;
    expect(first).toMatchObject({ content: "The first half ", restart: true });
    expect(events.find(({ data }) => data.type === "loop.message")?.data).toMatchObject({
      message: { id: "m", content: "The first half and the second." },
    });
    expect(events.find(({ data }) => data.type === "loop.tool_call.start")?.data).toMatchObject({
      tool: { id: "t", name: "bash" },
    });
  });

  test("[R-SSE-3] whoever has seen more than there is goes on from here", async () => {
    await using all = await openAll();
    const { id } = (await all.call("POST", "/api/loops", all.request)).body.config;
    const watching = readEvents(`${all.server.url}/api/loops/${id}/events?after=999999`, ended);
    await all.call("POST", `/api/loops/${id}/start`);
    expect(ended(await watching)).toBe(true);
  });

  test("[R-SSE-4] a watcher that stops reading holds up nobody and catches up when it reads again", async () => {
    const count = 3000;
    await using all = await openAll({
      async *play() {
        for (let n = 0; n < count; n++) yield { type: "notice", text: `${n} ${"x".repeat(1000)}` };
        return said("<promise>COMPLETE</promise>");
      },
    });
    const { id } = (await all.call("POST", "/api/loops", all.request)).body.config;
    const slow = await fetch(`${all.server.url}/api/loops/${id}/events?after=0`);
    await all.call("POST", `/api/loops/${id}/start`);
    await all.lab.atRest(id);
    let text = "";
    const reader = slow.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (reader !== undefined && !text.includes("loop.completed")) text += (await reader.read()).value ?? "";
    await reader?.cancel();
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(ids).toEqual((await all.lab.hub.read({ loopId: id, limit: 10_000 })).map((event) => event.seq));
    expect(ids.length).toBeGreaterThan(count);
  });

  test("[R-SSE-3] a server that ended and began again: whoever comes back misses none and gets none twice", async () => {
    await using ground = await openGround();
    let turns = 0;
    const play: Play = async function* ({ request }) {
      turns += 1;
      for (let n = 0; n < 50; n++) yield { type: "notice", text: `notice ${n}` };
      if (turns === 1) await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
      return said("<promise>COMPLETE</promise>");
    };
    const seen: number[] = [];
    const idsOf = (events: Seen[]) => events.flatMap(({ id }) => (id === null ? [] : [id]));
    let id = "";
    {
      await using all = await openAll({ ground, play });
      id = (await all.call("POST", "/api/loops", { ...all.request, start: {} })).body.config.id;
      const url = `${all.server.url}/api/loops/${id}/events?after=0`;
      seen.push(...idsOf(await readEvents(url, (events) => idsOf(events).length >= 30)));
    }
    await using all = await openAll({ ground, play });
    const url = `${all.server.url}/api/loops/${id}/events`;
    seen.push(...idsOf(await readEvents(url, ended, { "last-event-id": String(seen.at(-1)) })));
    expect(turns).toBe(2);
    const stored = await all.lab.hub.read({ loopId: LoopId.parse(id) });
    expect(seen).toEqual(stored.map(({ seq }) => seq).slice(0, seen.length));
    expect(stored.length - seen.length).toBeLessThan(3); // what came after the end
  });

  test("[R-SSE-4] whoever stops reading in the middle of a text gets the rest of it, once, and others wait for nobody", async () => {
    // More than the buffers of the sockets between them hold.
    const piece = "x".repeat(1000);
    const count = 20_000;
    const goOn = Promise.withResolvers<void>();
    const begin = Promise.withResolvers<void>();
    await using all = await openAll({
      async *play() {
        await begin.promise;
        for (let n = 0; n < count; n++) {
          if (n % 100 === 0) await Bun.sleep(0);
          yield { type: "message.delta", messageId: "m", kind: "text", delta: `${n} ${piece}\n` };
        }
        await goOn.promise;
        yield { type: "message.complete", messageId: "m", kind: "text", text: "done" };
        return said("<promise>COMPLETE</promise>");
      },
    });
    const expected = Array.from({ length: count }, (_, n) => `${n} ${piece}\n`).join("");
    const { id } = (await all.call("POST", "/api/loops", { ...all.request, start: {} })).body.config;
    const url = `${all.server.url}/api/loops/${id}/events?after=0`;
    const texts = (events: Seen[]) => events.filter(({ data }) => data.type === "loop.progress");
    const textOf = (events: Seen[]) =>
      texts(events)
        .map(({ data }) => data.content)
        .join("");
    const isWhole = (events: Seen[]) => textOf(events).length >= expected.length;
    using idle = await openIdleReader(url);
    const written = Promise.withResolvers<void>();
    let length = 0;
    all.lab.hub.subscribe(({ event }) => {
      if (event.type === "loop.progress") length += event.content.length;
      if (length === expected.length) written.resolve();
    });
    const reading = readEvents(url, ended);
    begin.resolve();
    await written.promise;
    const late = await idle.read(isWhole);
    expect(textOf(late) === expected).toBe(true);
    expect(texts(late).every(({ data }) => data.restart === undefined)).toBe(true);
    // What it had not taken came in one piece.
    expect(texts(late).some(({ data }) => String(data.content).length > 2_000_000)).toBe(true);
    goOn.resolve();
    expect(textOf(await reading) === expected).toBe(true);
    expect(ended(await idle.read(ended))).toBe(true);
  });

  test("[R-SSE-1] whoever begins to watch all loops in the middle of a sentence gets all of it", async () => {
    const goOn = Promise.withResolvers<void>();
    await using all = await openAll({
      async *play() {
        yield { type: "message.delta", messageId: "m", kind: "text", delta: "The first half " };
        await goOn.promise;
        yield { type: "message.complete", messageId: "m", kind: "text", text: "The first half and the second." };
        return said("<promise>COMPLETE</promise>");
      },
    });
    const shown = Promise.withResolvers<void>();
    all.lab.hub.subscribe(({ event }) => event.type === "loop.progress" && shown.resolve());
    await all.call("POST", "/api/loops", { ...all.request, start: {} });
    await shown.promise;
    const events = await readEvents(`${all.server.url}/api/events`, (some) => some.length > 0);
    expect(events[0]?.data).toMatchObject({ type: "loop.progress", content: "The first half ", restart: true });
    goOn.resolve();
  });

  test("the stream begins with when to come back, and a heart beats while nothing happens", async () => {
    await using all = await openAll();
    using feed = new Feed(all.lab.hub, { heartbeatMs: 1 });
    const reader = feed.open({ loopId: null, types: null, after: null }).getReader();
    let text = "";
    while (!text.includes(": hb\n\n")) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toStartWith("retry: 1000\n\n");
    await reader.cancel();
    expect(feed.watchers).toBe(0);
  });

  test("[R-SSE-4] a stream in which nothing happens for longer than a connection may be silent stays open", async () => {
    await using ground = await openGround();
    await using lab = openLab(ground);
    const { server } = serve(lab.hub, null, { heartbeatMs: 1_250 });
    await using _server = server;
    // Five seconds of silence end it. Bun looks every four, so that silence is noticed after ten at the latest: this many
    // beats take longer.
    const beats = 10;
    const reader = (await fetch(`${server.url}/api/events`)).body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const readUntil = async (enough: () => boolean) => {
      while (!enough()) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) throw new Error(`the stream ended after ${text.split(": hb").length - 1} beats`);
        text += value;
      }
    };
    await readUntil(() => text.split(": hb").length > beats);
    const { id } = await lab.create(ground.repository);
    await readUntil(() => text.includes("loop.created"));
    expect(text).toContain(id);
    await reader?.cancel();
  }, 60_000);
});
