import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openGround, openLab, type Play, said } from "@ralpher/loop/lab";
import { openServer } from "./open-server.ts";

const play: Play = async function* ({ request, prompt }) {
  const n = /This is iteration (\d+)/.exec(prompt)?.[1] ?? "?";
  await writeFile(join(request.directory, `work-${n}.txt`), "work\n");
  for (const delta of ["one ", "two ", "three"])
    yield { type: "message.delta", messageId: `m${n}`, kind: "text", delta };
  yield { type: "message.complete", messageId: `m${n}`, kind: "text", text: "one two three" };
  return said(n === "3" ? "<promise>COMPLETE</promise>" : "more");
};

async function openAll(options: { token?: string; play?: Play } = {}) {
  const ground = await openGround();
  const lab = openLab({ ...ground, play: options.play ?? play });
  const server = openServer({
    hub: lab.hub,
    hostname: "127.0.0.1",
    port: 0,
    tries: 1,
    token: options.token ?? null,
    version: "9.9.9",
    dashboard: Promise.resolve(null),
    onBug: (error) => bugs.push(error),
  });
  const bugs: unknown[] = [];
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text,
    };
  };
  return {
    ...ground,
    lab,
    server,
    call,
    bugs,
    request: { directory: ground.repository, prompt: "Do it.", backend: { type: "scripted" } },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
    },
  };
}

/** Read server-sent events until the condition holds. */
async function readEvents(
  url: string,
  enough: (events: { id: number | null; data: Record<string, unknown> }[]) => boolean,
  headers: Record<string, string> = {},
) {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const events: { id: number | null; data: Record<string, unknown> }[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader !== undefined && !enough(events)) {
    const { value, done } = await reader.read();
    if (done) break;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      events.push({ id: id === undefined ? null : Number(id), data: JSON.parse(data) });
    }
  }
  leaving.abort();
  return events;
}

const ended = (events: { data: Record<string, unknown> }[]) =>
  events.some(({ data }) => data.type === "loop.completed");

describe("loops over HTTP", () => {
  test("[R-API-3] says that it is well, and its version", async () => {
    await using all = await openAll();
    expect((await all.call("GET", "/api/health")).body).toEqual({ healthy: true, version: "9.9.9" });
  });

  test("[R-CRUD-1, R-CRUD-2, R-CRUD-3, R-CRUD-4, R-CRUD-5] create, list, get, patch, delete", async () => {
    await using all = await openAll();
    const created = await all.call("POST", "/api/loops", all.request);
    expect(created.status).toBe(201);
    const { id } = created.body.config;
    expect(created.body).toMatchObject({
      config: {
        name: "Do it.",
        stopPattern: "<promise>COMPLETE</promise>$",
        git: { enabled: true, branchPrefix: "ralph/" },
      },
      state: { id, status: "idle", currentIteration: 0, recentIterations: [] },
    });
    const list = await all.call("GET", "/api/loops");
    expect(list.headers.get("x-total-count")).toBe("1");
    expect(list.body).toMatchObject([{ config: { id, name: "Do it." }, state: { status: "idle" } }]);
    expect((await all.call("GET", `/api/loops/${id}`)).body).toEqual(created.body);
    const patched = await all.call("PATCH", `/api/loops/${id}`, { name: "other", maxIterations: 7 });
    expect(patched.body.config).toMatchObject({ name: "other", maxIterations: 7 });
    expect((await all.call("GET", `/api/loops/${id}`)).body.config.name).toBe("other");
    expect((await all.call("DELETE", `/api/loops/${id}`)).body).toEqual({ success: true });
    expect((await all.call("GET", `/api/loops/${id}`)).status).toBe(404);
    expect((await all.call("GET", "/api/loops")).body).toEqual([]);
  });

  test("[R-API-1, R-API-2, R-GIT-5] start, wait, look at the work, accept", async () => {
    await using all = await openAll();
    const { id } = (await all.call("POST", "/api/loops", all.request)).body.config;
    expect((await all.call("POST", `/api/loops/${id}/start`)).body).toEqual({ success: true });
    await all.lab.atRest(id);
    expect((await all.call("GET", `/api/loops/${id}`)).body.state).toMatchObject({
      status: "completed",
      currentIteration: 3,
    });
    const messages = (await all.call("GET", `/api/loops/${id}/messages`)).body;
    expect(messages.map((entry: { message: { content: string } }) => entry.message.content)).toEqual(
      Array(3).fill("one two three"),
    );
    const newest = (await all.call("GET", `/api/loops/${id}/logs?limit=2&newest=true`)).body;
    expect(newest.map((entry: { type: string }) => entry.type)).toEqual(["loop.iteration.end", "loop.completed"]);
    const older = (await all.call("GET", `/api/loops/${id}/logs?limit=2&newest=true&before=${newest[0].seq}`)).body;
    expect(older.at(-1).seq).toBeLessThan(newest[0].seq);
    const diff = (await all.call("GET", `/api/loops/${id}/diff`)).body;
    expect(diff.map((file: { path: string }) => file.path)).toEqual(["work-1.txt", "work-2.txt", "work-3.txt"]);
    expect((await all.call("GET", `/api/loops/${id}/plan`)).body).toEqual({ content: null });
    const accepted = await all.call("POST", `/api/loops/${id}/accept`);
    expect(accepted.body).toEqual({ success: true, mergeCommit: expect.stringMatching(/^[0-9a-f]{40}$/) });
  });

  test("[R-GIT-4] a dirty checkout answers 409 with the files; the choice goes on", async () => {
    await using all = await openAll();
    await writeFile(join(all.repository, "dirty.txt"), "");
    const { id } = (await all.call("POST", "/api/loops", all.request)).body.config;
    const refused = await all.call("POST", `/api/loops/${id}/start`, {});
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ error: "uncommitted_changes", changedFiles: ["dirty.txt"] });
    expect((await all.call("POST", `/api/loops/${id}/start`, { handleUncommitted: "ignore" })).status).toBe(200);
    await all.lab.atRest(id);
  });

  test("[R-API-5] bad input is 400 with its paths, unknown ids 404, wrong moments 409, and no insides are told", async () => {
    await using all = await openAll();
    const bad = await all.call("POST", "/api/loops", {
      directory: "",
      prompt: " ",
      maxIterations: 0,
      git: { enabled: "yes" },
    });
    expect(bad.status).toBe(400);
    expect(bad.body.issues.map((issue: { path: string }) => issue.path)).toEqual([
      "directory",
      "prompt",
      "maxIterations",
      "git.enabled",
    ]);
    expect(
      (
        await fetch(`${all.server.url}/api/loops`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{",
        })
      ).status,
    ).toBe(400);
    for (const id of ["nonsense", crypto.randomUUID()])
      expect((await all.call("GET", `/api/loops/${id}`)).status).toBe(404);
    expect((await all.call("GET", "/api/nothing")).body).toMatchObject({ error: "not_found" });
    expect((await all.call("GET", "/api/loops?status=asleep")).status).toBe(400);
    const { id } = (await all.call("POST", "/api/loops", all.request)).body.config;
    const early = await all.call("POST", `/api/loops/${id}/pause`);
    expect([early.status, early.body.error]).toEqual([409, "illegal_transition"]);
    expect((await all.call("PATCH", `/api/loops/${id}`, { colour: "red" })).status).toBe(400);
    expect(all.bugs).toEqual([]);
  });
});

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
});

describe("who may come in", () => {
  test("a request that names another host, or comes from another site, is refused", async () => {
    await using all = await openAll();
    const { port } = all.server;
    expect((await all.call("GET", "/api/loops", undefined, { host: `evil.example:${port}` })).status).toBe(403);
    expect((await all.call("POST", "/api/loops", all.request, { origin: "http://evil.example" })).status).toBe(403);
    expect((await all.call("POST", "/api/loops", all.request, { origin: all.server.url })).status).toBe(201);
    expect((await all.call("GET", "/api/loops", undefined, { host: `localhost:${port}` })).status).toBe(200);
    expect((await all.call("GET", "/api/loops", undefined, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await all.call("GET", "/api/loops", undefined, { "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  test("with a token, nobody comes in without it: bearer for programs, cookie for browsers", async () => {
    await using all = await openAll({ token: "a-long-secret" });
    expect((await all.call("GET", "/api/loops")).status).toBe(401);
    expect((await all.call("GET", "/api/loops", undefined, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await all.call("GET", "/api/loops", undefined, { authorization: "Bearer a-long-secret" })).status).toBe(
      200,
    );
    const login = await fetch(`${all.server.url}/api/loops?token=a-long-secret`, { redirect: "manual" });
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect([login.status, login.headers.get("location")]).toEqual([302, "/api/loops"]);
    expect((await all.call("GET", "/api/loops", undefined, { cookie })).status).toBe(200);
  });

  test("no address but loopback is listened on without a token", async () => {
    await using lab = await openAll();
    const options = {
      hub: lab.lab.hub,
      port: 0,
      tries: 1,
      version: "1",
      dashboard: Promise.resolve(null),
      onBug: () => {},
    };
    expect(() => openServer({ ...options, hostname: "0.0.0.0", token: null })).toThrow("lets others in");
  });

  test("a taken port is a fault, or the next one is tried", async () => {
    await using all = await openAll();
    const options = {
      hub: all.lab.hub,
      hostname: "127.0.0.1",
      token: null,
      version: "1",
      dashboard: Promise.resolve(null),
      onBug: () => {},
    };
    expect(() => openServer({ ...options, port: all.server.port, tries: 1 })).toThrow(`Port ${all.server.port}`);
    await using next = openServer({ ...options, port: all.server.port, tries: 10 });
    expect(next.port).toBeGreaterThan(all.server.port);
    expect(() =>
      openServer({ ...options, hostname: "203.0.113.1", token: "a-long-secret", port: 0, tries: 1 }),
    ).toThrow("cannot listen on 203.0.113.1");
  });
});

describe("the dashboard's files", () => {
  test("[R-WEB-5] places inside the dashboard get the page, files their compressed copy, and nothing else is read", async () => {
    await using ground = await openGround();
    await using lab = openLab(ground);
    const folder = join(ground.folder, "dist");
    await Bun.write(join(folder, "index.html"), "<html>page</html>");
    await Bun.write(join(folder, "assets/main-0123abcd.js"), "plain");
    await Bun.write(join(folder, "assets/main-0123abcd.js.gz"), Bun.gzipSync("plain"));
    await Bun.write(join(ground.folder, "secret.txt"), "secret");
    const common = {
      hub: lab.hub,
      hostname: "127.0.0.1",
      port: 0,
      tries: 1,
      token: null,
      version: "1",
      onBug: () => {},
    };
    await using server = openServer({ ...common, dashboard: Promise.resolve(folder) });
    const get = async (path: string, encoding: string) => {
      const response = await fetch(server.url + path, { headers: { "accept-encoding": encoding }, decompress: false });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    for (const path of ["/", `/${crypto.randomUUID()}`]) {
      const page = await get(path, "identity");
      expect([page.status, page.text, page.headers.get("cache-control")]).toEqual([
        200,
        "<html>page</html>",
        "no-cache",
      ]);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    const file = await get("/assets/main-0123abcd.js", "gzip");
    expect([file.headers.get("content-encoding"), file.headers.get("cache-control")]).toEqual([
      "gzip",
      "public, max-age=31536000, immutable",
    ]);
    expect((await get("/assets/main-0123abcd.js", "identity")).text).toBe("plain");
    await Bun.write(join(folder, "assets/later-4567abcd.js"), "later");
    expect((await get("/assets/later-4567abcd.js", "identity")).text).toBe("later");
    for (const path of ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/none.js"]) {
      expect((await get(path, "identity")).text).not.toBe("secret");
    }
  });
});
