import { describe, expect, test } from "bun:test";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { openGround, openLab, type Play, said } from "@ralpher/loop/lab";
import { serve } from "./stage.fixture.ts";

/** Each iteration thinks, says something, runs something and leaves a file; the third is the last. */
const play: Play = async function* ({ request, prompt }) {
  const n = /This is iteration (\d+)/.exec(prompt)?.[1] ?? "?";
  await writeFile(join(request.directory, `work-${n}.txt`), "work\n");
  yield { type: "message.complete", messageId: `r${n}`, kind: "reasoning", text: "hm" };
  yield { type: "message.complete", messageId: `m${n}`, kind: "text", text: `Iteration ${n}: Überall Nadeln` };
  yield { type: "message.complete", messageId: `s${n}`, kind: "reasoning", text: "hm again" };
  yield {
    type: "tool.complete",
    tool: {
      id: `t${n}`,
      name: "bash",
      input: { command: "ls" },
      output: "README.md",
      outputBytes: 9,
      status: "completed",
      durationMs: 3,
    },
  };
  return said(n === "3" ? "<promise>COMPLETE</promise>" : "more");
};

async function openAll() {
  const ground = await openGround();
  const lab = openLab({ ...ground, play });
  const { server, bugs } = serve(lab.hub);
  const send = (path: string, init?: BunFetchRequestInit) => fetch(server.url + path, init);
  const get = async (path: string) => {
    const response = await send(path);
    return { status: response.status, body: await response.json() };
  };
  const post = async (path: string, body: BodyInit, type = "application/json", method = "POST") => {
    const response = await send(path, { method, body, headers: { "content-type": type } });
    return { status: response.status, body: await response.json() };
  };
  return {
    ...ground,
    lab,
    send,
    get,
    post,
    bugs,
    captures: join(ground.folder, "data", "outputs"),
    /** A loop that has come to its end. */
    async finished() {
      const { id } = await lab.create(ground.repository);
      await lab.hub.dispatch({ type: "start", loopId: id });
      await lab.atRest(id);
      return id;
    },
    bundle: async (id: string) =>
      new Uint8Array(await (await send(`/api/loops/${id}/export?bundle=true`)).arrayBuffer()),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
    },
  };
}

const packed = "application/gzip";
const linesOf = (bundle: Uint8Array) =>
  gunzipSync(bundle)
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const bundleOf = (lines: unknown[]) => gzipSync(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);

describe("pages of a loop's log", () => {
  test("[R-API-2] logs and messages are paged by seq and type", async () => {
    await using all = await openAll();
    const id = await all.finished();
    const { body: logs } = await all.get(`/api/loops/${id}/logs?limit=1000`);
    expect(logs).toEqual(await all.lab.hub.read({ loopId: id }));
    const types = (entries: { type: string }[]) => entries.map(({ type }) => type);
    const { body: some } = await all.get(
      `/api/loops/${id}/logs?types=loop.tool_call,loop.iteration.end&newest=true&limit=3`,
    );
    expect(types(some)).toEqual(["loop.iteration.end", "loop.tool_call", "loop.iteration.end"]);
    expect(types((await all.get(`/api/loops/${id}/messages?limit=2`)).body)).toEqual(["loop.message", "loop.message"]);
    expect(types((await all.get(`/api/loops/${id}/messages?types=loop.tool_call`)).body)).toHaveLength(3);
    expect((await all.get(`/api/loops/${id}/logs?after=${logs.at(-1).seq}`)).body).toEqual([]);
    const wrong = await all.get(`/api/loops/${id}/logs?types=loop.nonsense`);
    expect([wrong.status, wrong.body.error]).toEqual([400, "invalid_input"]);
    expect(all.bugs).toEqual([]);
  });

  test("[R-API-2] a page of megabytes arrives whole", async () => {
    await using all = await openAll();
    const { id } = await all.lab.create(all.repository);
    const at = new Date().toISOString();
    await all.lab.journal.append(id, () =>
      Array.from({ length: 300 }, (_, i) => ({
        type: "loop.notice" as const,
        loopId: id,
        at,
        iteration: 0,
        text: `${i} ${"ü".repeat(20_000)}`,
      })),
    );
    const { body } = await all.get(`/api/loops/${id}/logs?limit=1000`);
    expect(body).toEqual(await all.lab.hub.read({ loopId: id }));
  });

  test("[R-API-2] what is long comes packed to who reads that: the log, what was said, and the view", async () => {
    await using all = await openAll();
    const { id } = await all.lab.create(all.repository, { prompt: "Überall Nadeln. ".repeat(2_000) });
    const at = new Date().toISOString();
    const messages = Array.from({ length: 100 }, (_, i) => ({
      type: "loop.message" as const,
      loopId: id,
      at,
      iteration: 1,
      message: { id: `m${i}`, role: "assistant" as const, kind: "text" as const, content: `${i} ${"ü".repeat(5_000)}` },
    }));
    await all.lab.journal.append(id, () => messages);
    for (const path of ["logs?limit=1000", "messages?limit=1000", "view"]) {
      // Bun unpacks what it asked for to be packed; `decompress` false leaves the bytes as they came.
      const ask = (encoding: string) =>
        all.send(`/api/loops/${id}/${path}`, { headers: { "accept-encoding": encoding }, decompress: false });
      const [plain, answer] = [await ask("identity"), await ask("br, gzip")];
      expect([plain.headers.get("content-encoding"), answer.headers.get("content-encoding")]).toEqual([null, "gzip"]);
      expect([plain.headers.get("vary"), answer.headers.get("vary")]).toEqual(["accept-encoding", "accept-encoding"]);
      const [text, bytes] = [await plain.text(), new Uint8Array(await answer.arrayBuffer())];
      expect(gunzipSync(bytes).toString()).toBe(text);
      expect(bytes.length).toBeLessThan(text.length / 5);
      expect(JSON.parse(text)).toEqual(JSON.parse(await (await all.send(`/api/loops/${id}/${path}`)).text()));
      expect((await ask("gzip;q=0")).headers.get("content-encoding")).toBeNull();
    }
    const short = await all.send(`/api/loops/${id}/logs?limit=1`, { headers: { "accept-encoding": "gzip" } });
    expect(((await short.json()) as unknown[]).length).toBe(1);
    expect(all.bugs).toEqual([]);
  });

  test("[R-API-2] iterations tell what was done in each, a page at a time", async () => {
    await using all = await openAll();
    const id = await all.finished();
    const { body } = await all.get(`/api/loops/${id}/iterations`);
    expect(body).toHaveLength(3);
    expect(body[1]).toMatchObject({
      iteration: 2,
      outcome: "continue",
      attempts: 1,
      messageCount: 3,
      toolCallCount: 1,
      usage: { inputTokens: 10, outputTokens: 2 },
      commits: [{ iteration: 2, sha: expect.stringMatching(/^[0-9a-f]{40}$/) }],
      lastText: "Iteration 2: Überall Nadeln",
      prompt: expect.stringContaining("This is iteration 2"),
    });
    expect(body[2]).toMatchObject({ outcome: "complete" });
    const { state } = (await all.get(`/api/loops/${id}`)).body;
    for (const [index, summary] of state.recentIterations.entries()) {
      const { commits, ...same } = summary;
      expect(body[index]).toMatchObject(same);
      expect(body[index].commits).toHaveLength(commits);
    }
    const older = (await all.get(`/api/loops/${id}/iterations?limit=1&before=${body[1].seq}`)).body;
    expect(older).toEqual([body[0]]);
    expect((await all.get(`/api/loops/${id}/iterations?limit=0`)).status).toBe(400);
    expect((await all.get("/api/loops/nonsense/iterations")).status).toBe(404);
  });

  test("[R-API-2] text is found in the log", async () => {
    await using all = await openAll();
    const id = await all.finished();
    const { body } = await all.get(`/api/loops/${id}/search?text=${encodeURIComponent("überall NADELN")}&limit=2`);
    expect(body.hits).toHaveLength(2);
    expect(body.hits[0]).toMatchObject({ iteration: 3, type: "loop.message", excerpt: "Iteration 3: Überall Nadeln" });
    const rest = await all.get(`/api/loops/${id}/search?text=nadeln&before=${body.next}`);
    expect(rest.body.hits.map((hit: { iteration: number }) => hit.iteration)).toEqual([1]);
    expect(rest.body.next).toBeNull();
    expect((await all.get(`/api/loops/${id}/search?text=`)).status).toBe(400);
  });
});

describe("export and import", () => {
  test("[R-DATA-3] a loop is exported in the seed's shape and comes in elsewhere at rest", async () => {
    await using here = await openAll();
    await using there = await openAll();
    const id = await here.finished();
    const response = await here.send(`/api/loops/${id}/export`);
    expect(response.headers.get("content-disposition")).toContain('filename="lab.ralpher.json"');
    const loop = await response.json();
    expect(loop).toEqual((await here.get(`/api/loops/${id}`)).body);
    const { status, body } = await there.post("/api/loops/import", JSON.stringify(loop));
    expect(status).toBe(201);
    expect(body.config).toEqual(loop.config);
    expect(body.state).toMatchObject({ id, status: "completed", currentIteration: 3 });
    expect(body.state.git).toBeUndefined();
    expect(body.state.recentIterations).toEqual(loop.state.recentIterations);
    expect((await there.get("/api/loops")).body).toHaveLength(1);
    const iterations = (await there.get(`/api/loops/${id}/iterations`)).body;
    expect(iterations.map((one: { iteration: number }) => one.iteration)).toEqual([1, 2, 3]);
    // A second one gets another id.
    const again = (await there.post("/api/loops/import", JSON.stringify(loop))).body;
    expect(again.config.id).not.toBe(id);
    expect(again.state.id).toBe(again.config.id);
  });

  test("[R-DATA-3] what another program wrote in the seed's shape is taken, too", async () => {
    await using all = await openAll();
    const foreign = {
      config: {
        id: "not-a-uuid",
        name: "foreign",
        directory: all.repository,
        prompt: "Do it.",
        createdAt: "2025-01-01T00:00:00.000Z",
        updatedAt: "2025-01-01T00:00:00.000Z",
        backend: { type: "opencode", mode: "spawn" },
        stopPattern: "<promise>COMPLETE</promise>$",
        git: { enabled: true, branchPrefix: "ralph/", commitPrefix: "[Ralph]" },
        colour: "blue",
      },
      state: {
        id: "not-a-uuid",
        status: "running",
        currentIteration: 1,
        session: { id: "s" },
        git: {
          originalBranch: "main",
          workingBranch: "ralph/x",
          commits: [{ iteration: 1, sha: "abc", message: "m", timestamp: "2025-01-01T00:00:00.000Z", filesChanged: 1 }],
        },
        recentIterations: [
          {
            iteration: 1,
            startedAt: "2025-01-01T00:00:00.000Z",
            completedAt: "2025-01-01T00:01:00.000Z",
            messageCount: 1,
            toolCallCount: 2,
            outcome: "continue",
          },
        ],
      },
    };
    const { status, body } = await all.post("/api/loops/import", JSON.stringify(foreign));
    expect(status).toBe(201);
    expect(body.state).toMatchObject({ status: "stopped", currentIteration: 1, usage: { inputTokens: null } });
    expect(body.config.colour).toBeUndefined();
  });

  test("[R-DATA-3] a bundle brings history and conversations, and the loop can be started afresh", async () => {
    await using here = await openAll();
    await using there = await openAll();
    const id = await here.finished();
    await mkdir(join(here.captures, id), { recursive: true });
    const conversation = `${JSON.stringify({ type: "header", text: "Grüße ".repeat(30_000) })}\n`;
    await writeFile(join(here.captures, id, "one.jsonl"), conversation);
    await here.lab.hub.dispatch({ type: "say", loopId: id, text: "first" });
    const { seq } = await here.lab.hub.require(id);
    await here.lab.hub.dispatch({ type: "unsay", loopId: id, seq });
    const bundle = await here.bundle(id);
    expect(linesOf(bundle).at(-1)).toEqual({
      type: "end",
      events: linesOf(bundle).filter(({ type }) => type === "event").length,
    });

    await there.finished();
    const { status, body } = await there.post("/api/loops/import", bundle, packed);
    expect(status).toBe(201);
    expect(body.config.id).toBe(id);
    expect(body.state).toMatchObject({ status: "completed", currentIteration: 3 });
    const before = await here.lab.hub.read({ loopId: id });
    const after = await there.lab.hub.read({ loopId: id });
    const plain = (events: typeof before) =>
      events.map(({ seq: _, ...event }) => ("said" in event ? { ...event, said: "renamed" } : event));
    expect(after.at(-1)?.type).toBe("loop.imported");
    expect(plain(after.slice(0, -1))).toEqual(plain(before));
    const words = after.find(({ type }) => type === "loop.said");
    expect(after.find(({ type }) => type === "loop.unsaid")).toMatchObject({ said: words?.seq });
    expect(await Bun.file(join(there.captures, id, "one.jsonl")).text()).toBe(conversation);
    expect((await there.get(`/api/loops/${id}/iterations`)).body).toHaveLength(3);

    const update = JSON.stringify({ maxIterations: 4 });
    expect((await there.post(`/api/loops/${id}`, update, "application/json", "PATCH")).status).toBe(200);
    await there.lab.hub.dispatch({ type: "update", loopId: id, changes: { maxIterations: 4 } });
  });

  test("[R-DATA-3] a loop that was deleted and brought back can be taken elsewhere again", async () => {
    await using all = await openAll();
    const id = await all.finished();
    const bundle = await all.bundle(id);
    for (const _time of ["once", "twice"]) {
      expect((await all.send(`/api/loops/${id}`, { method: "DELETE" })).status).toBe(200);
      expect((await all.post("/api/loops/import", bundle, packed)).body.config.id).toBe(id);
    }
    const [first] = (await all.get(`/api/loops/${id}/logs`)).body;
    expect(first.type).toBe("loop.created");
    expect((await all.post("/api/loops/import", await all.bundle(id), packed)).status).toBe(201);
  });

  test("[R-API-5] an imported loop leads to no address but a page of the web", async () => {
    await using all = await openAll();
    const loop = (await all.get(`/api/loops/${await all.finished()}`)).body;
    loop.state.pullRequest = "javascript:alert(1)";
    const { status, body } = await all.post("/api/loops/import", JSON.stringify(loop));
    expect([status, body.issues[0].path]).toEqual([400, "state.pullRequest"]);
  });

  test("[R-DATA-3] an imported loop runs on where it is", async () => {
    await using all = await openAll();
    const id = await all.finished();
    const loop = (await all.get(`/api/loops/${id}`)).body;
    loop.state.currentIteration = 1;
    loop.state.status = "running";
    const { body } = await all.post("/api/loops/import", JSON.stringify(loop));
    expect(body.state.status).toBe("stopped");
    expect((await all.post(`/api/loops/${body.config.id}/start`, "{}")).status).toBe(200);
    await all.lab.atRest(body.config.id);
    expect((await all.get(`/api/loops/${body.config.id}`)).body.state).toMatchObject({
      status: "completed",
      currentIteration: 3,
    });
  });

  test("[R-API-5] a bundle that is none is refused with the line, and leaves nothing behind", async () => {
    await using here = await openAll();
    await using there = await openAll();
    const id = await here.finished();
    await mkdir(join(here.captures, id), { recursive: true });
    await writeFile(join(here.captures, id, "one.jsonl"), "{}\n");
    const bundle = await here.bundle(id);
    const lines = linesOf(bundle);
    const [head, first] = lines;
    const refusal = async (body: Uint8Array) => {
      const answer = await there.post("/api/loops/import", body as Uint8Array<ArrayBuffer>, packed);
      expect([answer.status, answer.body.error]).toEqual([400, "bundle_invalid"]);
      return answer.body.detail;
    };
    expect(await refusal(new Uint8Array())).toContain("cut off");
    expect(await refusal(new TextEncoder().encode("{}"))).toContain("gzip");
    expect(await refusal(bundle.slice(0, -20))).toContain("cut off");
    expect(await refusal(bundleOf(lines.slice(0, -1)))).toContain("end is missing");
    expect(await refusal(bundleOf([...lines, first]))).toContain("after its end");
    expect(await refusal(bundleOf(lines.filter((line) => line !== first)))).toContain("first event");
    expect(await refusal(bundleOf(lines.slice(1)))).toContain("line 1");
    expect(await refusal(gzipSync(`${JSON.stringify(head)}\nno json\n`))).toContain("line 2 is no JSON");
    const newer = { type: "event", event: { ...first.event, type: "loop.dreamed" } };
    expect(await refusal(bundleOf([head, first, newer]))).toMatch(/^line 3: .*"loop\.dreamed"/);
    expect(await refusal(bundleOf([head, first, { type: "capture", name: "../x.jsonl", text: "" }]))).toContain(
      "line 3",
    );
    expect(await refusal(bundleOf([head, first, { type: "event", event: { ...first.event, at: 1 } }]))).toContain(
      "line 3",
    );
    const version = { ...head, version: 2 };
    expect(await refusal(bundleOf([version]))).toContain("line 1: version");
    expect((await there.get("/api/loops")).body).toEqual([]);
    expect(await there.lab.hub.read({})).toEqual([]);
    expect(await readdir(there.captures).catch(() => [])).toEqual([]);
    // Nothing stands in the way of the right one.
    expect((await there.post("/api/loops/import", bundle, packed)).body.config.id).toBe(id);
    expect(there.bugs).toEqual([]);
  });

  test("[R-API-5] what is too large is refused, however small it is packed", async () => {
    await using all = await openAll();
    const zeros = gzipSync(Buffer.alloc(40 * 1024 * 1024, 0x20));
    const bomb = await all.post("/api/loops/import", zeros, packed);
    expect([bomb.status, bomb.body.error]).toEqual([413, "too_large"]);
    const huge = JSON.stringify({ config: { prompt: "x".repeat(5_000_000) } });
    expect((await all.post("/api/loops/import", huge)).status).toBe(413);
  });

  test("[R-API-5] an import that is no loop names what is wrong", async () => {
    await using all = await openAll();
    const wrong = await all.post("/api/loops/import", JSON.stringify({ config: { name: "x" }, state: {} }));
    expect(wrong.status).toBe(400);
    expect(wrong.body.issues.map((issue: { path: string }) => issue.path)).toContain("config.prompt");
    const words = async (body: BodyInit, type?: string) => {
      const answer = await all.post("/api/loops/import", body, type);
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_input"]);
      return answer.body.message;
    };
    expect(await words('{"config": {\n  "name": }')).toBe(
      'The file cannot be used: it is not JSON: line 2, column 11: there is "}" where a value should be.',
    );
    expect(await words("# notes\n")).toContain("line 1, column 1");
    expect(await words("")).toContain("it is empty");
    expect(await words(JSON.stringify({ config: {}, state: {} }).slice(0, -1))).toContain("cut off");
    expect(await words(gzipSync("{}"))).toContain("packed with gzip; send it as application/gzip");
    const text = await all.post("/api/loops/import", "hello", "text/plain");
    expect([text.status, text.body.error]).toEqual([415, "invalid_input"]);
    expect((await all.send("/api/loops/import", { method: "POST" })).status).toBe(400);
    expect((await all.get("/api/loops/00000000-0000-4000-8000-000000000000/export?bundle=true")).status).toBe(404);
    expect(all.bugs).toEqual([]);
  });
});

describe("settings", () => {
  test("what nobody said about a new loop is as the settings say", async () => {
    await using all = await openAll();
    expect((await all.get("/api/settings")).body).toEqual({ backend: "opencode", models: {} });
    const model = { providerID: "a", modelID: "b" };
    const changed = await all.post(
      "/api/settings",
      JSON.stringify({ backend: "scripted", models: { scripted: model } }),
      "application/json",
      "PATCH",
    );
    expect(changed.body).toEqual({ backend: "scripted", models: { scripted: model } });
    await all.post("/api/settings", JSON.stringify({}), "application/json", "PATCH");
    expect((await all.get("/api/settings")).body).toEqual(changed.body);
    const request = { directory: all.repository, prompt: "Do it." };
    const { config } = (await all.post("/api/loops", JSON.stringify(request))).body;
    expect(config).toMatchObject({ backend: { type: "scripted" }, model });
    const own = { ...request, model: { providerID: "x", modelID: "y" } };
    expect((await all.post("/api/loops", JSON.stringify(own))).body.config.model).toEqual(own.model);
    const wrong = await all.post("/api/settings", JSON.stringify({ backend: "none" }), "application/json", "PATCH");
    expect([wrong.status, wrong.body.issues?.[0]?.path]).toEqual([400, "backend"]);
  });
});

describe("what the create form asks for", () => {
  test("folders are completed; hidden ones when asked for", async () => {
    await using all = await openAll();
    const root = join(all.folder, "complete");
    for (const name of ["apple/.git", "apricot", ".attic", "banana"])
      await mkdir(join(root, name), { recursive: true });
    await symlink(join(root, "banana"), join(root, "avocado"));
    await symlink(join(root, "gone"), join(root, "aghost"));
    await writeFile(join(root, "a-file"), "");
    const complete = async (prefix: string) =>
      (await all.get(`/api/directories?prefix=${encodeURIComponent(prefix)}`)).body;
    expect(await complete(join(root, "a"))).toEqual([
      { path: join(root, "apple"), repository: true },
      { path: join(root, "apricot"), repository: false },
      { path: join(root, "avocado"), repository: false },
    ]);
    expect(await complete(`${root}/`)).toHaveLength(4);
    expect(await complete(join(root, ".a"))).toEqual([{ path: join(root, ".attic"), repository: false }]);
    expect(await complete(join(root, "none", "x"))).toEqual([]);
    expect(await complete("relative")).toEqual([]);
  });

  test("models are told for each backend; one that is not there is no backend", async () => {
    await using all = await openAll();
    expect((await all.get("/api/backends/scripted/models")).body).toEqual([]);
    const unknown = await all.get(`/api/backends/opencode/models?directory=${encodeURIComponent(all.repository)}`);
    expect([unknown.status, unknown.body.error]).toEqual([400, "unknown_backend"]);
    expect((await all.get("/api/backends/nonsense/models")).status).toBe(400);
    expect((await all.get("/api/backends/scripted/models?directory=/not/there")).body.error).toBe("directory_missing");
  });
});
