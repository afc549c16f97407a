import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "../../..");

const program = `
import { createScriptedBackend, narrow, readOnly } from "ralpher/agent";
import { z } from "zod";

await using backend = createScriptedBackend();
const { output, capture } = await narrow({
  backend,
  via: { script: process.argv[2] },
  directory: process.cwd(),
  outputs: process.cwd() + "/outputs",
  prompt: "Which tests fail?",
  output: z.object({ failing: z.array(z.string()) }),
  tools: readOnly(["bun test"]),
});
const failing: string[] = output.failing;
console.log(JSON.stringify({ failing, isCaptured: capture !== null }));
`;

test("another program can ask an agent through ralpher/agent", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-elsewhere-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules", "ralpher"));
  await symlink(join(root, "packages/contract/node_modules/zod"), join(folder, "node_modules", "zod"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "ask.ts"), program);
  await writeFile(join(folder, "script.yaml"), "conversations: [{ steps: [{ structured: { failing: [adds] } }] }]");
  const asked = Bun.spawn([process.execPath, "ask.ts", join(folder, "script.yaml")], {
    cwd: folder,
    stdout: "pipe",
    stderr: "inherit",
  });
  expect(JSON.parse(await new Response(asked.stdout).text())).toEqual({ failing: ["adds"], isCaptured: true });
  expect(await asked.exited).toBe(0);
  await rm(folder, { recursive: true });
});
