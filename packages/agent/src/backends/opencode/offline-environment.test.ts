import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStage } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

test("opencode downloads nothing, not even the search tool it lacks", async () => {
  const bin = await mkdtemp(join(tmpdir(), "ralpher-bin-"));
  for (const tool of ["sh", "bash", "awk", "cat", "grep", "sed", "sleep"]) {
    await symlink(Bun.which(tool) ?? tool, join(bin, tool));
  }
  const { PATH } = process.env;
  process.env.PATH = bin;
  const stage = await openStage({
    conversations: [{ steps: [{ tools: [{ name: "grep", input: { pattern: "x" } }] }, { text: "Sought." }] }],
  });
  process.env.PATH = PATH;

  const { events, result } = await stage.run("seek");
  expect(result).toMatchObject({ outcome: "done", text: "Sought." });
  expect(events.find(({ type }) => type === "tool.complete")).toMatchObject({
    tool: { name: "grep", status: "error" },
  });
  const logs = join(stage.env.XDG_DATA_HOME ?? "", "opencode/log");
  const lines = await Promise.all((await readdir(logs)).map((file) => readFile(join(logs, file), "utf8")));
  expect(lines.join("")).not.toBe("");
  expect(lines.join("")).not.toMatch(/downloading|installing/i);
  await stage[Symbol.asyncDispose]();
  await rm(bin, { recursive: true });
});
