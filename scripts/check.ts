// Everything that can be checked without running the product: types, lint and format, dead code, the directions between
// rooms, and links in Markdown. All at once; the output of those that fail is shown.
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const tool = (name: string, ...args: string[]) => [join(root, "node_modules/.bin", name), ...args];
const script = (name: string) => [process.execPath, join(import.meta.dir, name)];

const checks: Record<string, string[]> = {
  types: tool("tsc", "-p", "."),
  "lint and format": tool("biome", "check", "--error-on-warnings", "."),
  "dead code": [process.execPath, ...tool("knip-bun", "--no-progress")],
  rooms: script("check-rooms.ts"),
  links: script("check-links.ts"),
};

const results = await Promise.all(
  Object.entries(checks).map(async ([name, command]) => {
    const began = performance.now();
    const run = Bun.spawn(command, { cwd: root, stdout: "pipe", stderr: "pipe", stdin: "ignore" });
    const [out, err, code] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
      run.exited,
    ]);
    console.log(`${code === 0 ? "✓" : "✗"} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    return { name, code, output: out + err };
  }),
);
const failed = results.filter(({ code }) => code !== 0);
for (const { name, output } of failed) console.log(`\n${name}:\n${output.trim()}`);
process.exit(failed.length === 0 ? 0 : 1);
