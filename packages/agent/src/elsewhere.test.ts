import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "../../..");
let folder: string;

// A project of somebody else's, with Ralpher and Zod installed.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-elsewhere-"));
  await mkdir(join(folder, "node_modules", "@types"), { recursive: true });
  await symlink(root, join(folder, "node_modules", "ralpher"));
  await symlink(join(root, "packages/contract/node_modules/zod"), join(folder, "node_modules", "zod"));
  await symlink(join(root, "node_modules/@types/bun"), join(folder, "node_modules", "@types", "bun"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true }));

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
  await writeFile(join(folder, "ask.ts"), program);
  await writeFile(join(folder, "script.yaml"), "conversations: [{ steps: [{ structured: { failing: [adds] } }] }]");
  const { out, code } = await run([process.execPath, "ask.ts", join(folder, "script.yaml")]);
  expect(JSON.parse(out)).toEqual({ failing: ["adds"], isCaptured: true });
  expect(code).toBe(0);
});

test("the guide's example fits the types that another program sees", async () => {
  const guide = await readFile(join(root, "docs/agents.md"), "utf8");
  const example = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  await writeFile(
    join(folder, "example.ts"),
    `${example}\nexport const why: string[] = output.failing.map((one) => one.why);\n`,
  );
  await writeFile(
    join(folder, "wrong.ts"),
    `${example}\nexport const why: number[] = output.failing.map((one) => one.why);\n`,
  );
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "esnext",
    module: "preserve",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    types: ["bun"],
  };
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["example.ts", "wrong.ts"] }),
  );
  const { out } = await run([join(root, "node_modules/.bin/tsc"), "-p", "."]);
  expect(out.trim()).toMatch(/^wrong\.ts\(.*TS2322/);
  expect(out.match(/error TS/g)).toHaveLength(1);
}, 60_000);

async function run(argv: string[]): Promise<{ out: string; code: number }> {
  const child = Bun.spawn(argv, { cwd: folder, stdout: "pipe", stderr: "inherit" });
  return { out: await new Response(child.stdout).text(), code: await child.exited };
}
