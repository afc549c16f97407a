import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openGround, openLab } from "@ralpher/loop/lab";
import { openServer } from "./open-server.ts";
import { openAll } from "./stage.fixture.ts";

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

  test("[R-CRUD-2] a list is a page, the same in any packing, and never older than what was asked before", async () => {
    await using all = await openAll();
    for (let n = 0; n < 103; n++) await all.lab.create(all.repository, { name: `loop ${n}` });
    const get = async (path: string, encoding: string) => {
      const response = await fetch(all.server.url + path, { headers: { "accept-encoding": encoding } });
      return { headers: response.headers, body: (await response.json()) as { config: { name: string } }[] };
    };
    const page = await get("/api/loops", "identity");
    expect([page.body.length, page.headers.get("x-total-count")]).toEqual([100, "103"]);
    const rest = await get("/api/loops?offset=100", "identity");
    expect(new Set([...page.body, ...rest.body].map(({ config }) => config.name)).size).toBe(103);
    const packed = await get("/api/loops?limit=1000", "gzip");
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect((await get("/api/loops?limit=1000", "gzip;q=0, br")).headers.get("content-encoding")).toBeNull();
    expect(packed.body).toEqual([...page.body, ...rest.body]);
    for (const { config } of rest.body as { config: { name: string; id: string } }[]) {
      await all.call("PATCH", `/api/loops/${config.id}`, { name: `${config.name} changed` });
      const again = await get("/api/loops?limit=1000", "gzip");
      expect(again.body[0]?.config.name).toBe(`${config.name} changed`);
    }
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
