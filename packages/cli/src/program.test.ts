import { expect, test } from "bun:test";
import { join } from "node:path";

const program = join(import.meta.dir, "program.ts");

async function say(...args: string[]): Promise<string> {
  const run = Bun.spawn([process.execPath, program, ...args], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  return `${await run.exited} ${out}${err}`;
}

test.each([
  ["soda", ["soda", "run", "--help"], "Usage: soda run"],
  ["trc", ["trc", "create", "--help"], "Usage: trc create"],
  ["ralpher", ["loop", "list", "--help"], "Usage: ralpher loop list"],
])("the one program is %s, too, when its first argument says so", async (_, args, usage) => {
  expect(await say(...args)).toStartWith(`0 ${usage}`);
});
