import { expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStage } from "./src/stage.ts";

const statusOf = async (url: string, token?: string) =>
  (await fetch(`${url}/api/loops`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }))
    .status;

test("a server that others can reach makes its token, tells it once, and keeps it from other users", async () => {
  await using stage = await openStage();
  const path = join(stage.dataDir, "token");
  const serve = async () => {
    const server = stage.start(["serve", "--host", "0.0.0.0", "--port", "0"]);
    await server.says("Data in ");
    return { server, url: `http://127.0.0.1:${/0\.0\.0\.0:(\d+)/.exec(server.out())?.[1]}` };
  };
  const first = await serve();
  const token = /\/\?token=(\S+)/.exec(first.server.out())?.[1] ?? "";
  expect((await readFile(path, "utf8")).trim()).toBe(token);
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
  expect(token.length).toBeGreaterThanOrEqual(32);
  expect([await statusOf(first.url), await statusOf(first.url, token)]).toEqual([401, 200]);
  first.server.signal("SIGTERM");
  await first.server.ended;

  const second = await serve();
  expect(second.server.out()).not.toContain(token);
  expect(second.server.out()).toContain(path);
  expect(await statusOf(second.url, token)).toBe(200);
  second.server.signal("SIGTERM");
  await second.server.ended;

  await writeFile(path, "\n");
  const refused = await stage.run(["serve", "--host", "0.0.0.0", "--port", "0"]);
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("holds no token")]);
});

test("a token of the user's own is the one that counts, and none is made", async () => {
  await using stage = await openStage();
  const { url } = await stage.serve({ RALPHER_TOKEN: "chosen-by-hand" });
  expect([await statusOf(url), await statusOf(url, "chosen-by-hand")]).toEqual([401, 200]);
  expect(await Bun.file(join(stage.dataDir, "token")).exists()).toBe(false);
});
