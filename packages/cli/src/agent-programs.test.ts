import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentsNotes, withTrc } from "./agent-programs.ts";
import { readAgentsNotes } from "./trc/agents-notes.ts";

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

test("[W-5] what an agent changes with its trc is noted in the data root", async () => {
  const [dataDir, repository] = [join(root, "data"), join(root, "app")];
  const env = withTrc({ ...process.env, TRACE_HOME: join(root, "trace") }, dataDir);
  const script = `git init -q '${repository}' && cd '${repository}' && trc init && trc create One --description ""`;
  const run = Bun.spawn(["sh", "-c", script], { env, cwd: root, stdout: "ignore" });
  expect(await run.exited).toBe(0);
  expect(readAgentsNotes(agentsNotes(dataDir), "")).toMatchObject([{ id: expect.stringContaining("app-") }, {}]);
});

test("an environment without PATH gets one", () => {
  expect(withTrc({}, root).PATH).toBe(join(root, "programs", "bin"));
});
