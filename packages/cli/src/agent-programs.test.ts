import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withTrc } from "./agent-programs.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ralpher-programs-"));
});
afterAll(() => rm(root, { recursive: true }));

test("agents find trc first on PATH, wherever the data root is and whatever its name", async () => {
  const dataDir = join(root, "it's a data root");
  await mkdir(dataDir);
  const env = withTrc({ ...process.env, TRACE_HOME: join(root, "trace") }, dataDir);
  const run = Bun.spawn(["sh", "-c", "command -v trc && trc create --help"], { env, cwd: root, stdout: "pipe" });
  const out = await new Response(run.stdout).text();
  expect(out).toStartWith(join(dataDir, "programs", "bin", "trc"));
  expect(out).toContain("Usage: trc create TITLE");
  expect(await run.exited).toBe(0);
});

test("an environment without PATH gets one", () => {
  expect(withTrc({}, root).PATH).toBe(join(root, "programs", "bin"));
});
