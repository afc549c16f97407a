import { afterAll, beforeAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose } from "./compose.ts";

let root: string;
const { TRACE_HOME } = process.env;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ralpher-compose-"));
  process.env.TRACE_HOME = join(root, "trace");
});
afterAll(async () => {
  if (TRACE_HOME === undefined) delete process.env.TRACE_HOME;
  else process.env.TRACE_HOME = TRACE_HOME;
  await rm(root, { recursive: true });
});

test("the work items that a hub opens are the user's own", async () => {
  const directory = join(root, "project");
  await mkdir(directory);
  execFileSync("git", ["init", "--quiet"], { cwd: directory });
  await using ralpher = compose({ dataDir: join(root, "data"), runs: "adopted" });
  await using items = ralpher.hub.openWorkItems(directory);
  await items.init();
  const { id } = await items.create({ title: "One", description: "" });
  await using again = ralpher.hub.openWorkItems(directory);
  expect((await again.require(id)).title).toBe("One");
});
