// `bun run bench NAME [--json]`: runs one benchmark and prints a table; with --json the last line is one object.
import { type Report, table, toJson } from "./report.ts";

const benchmarks: Record<string, () => Promise<Report>> = {
  engine: async () => (await import("./engine.ts")).engine(),
  start: async () => (await import("./start.ts")).start(),
  agent: async () => (await import("./agent.ts")).agent(),
  fanout: async () => (await import("./fanout.ts")).fanout(),
  api: async () => (await import("./api.ts")).api(),
  page: async () => (await import("./page.ts")).page(),
  trace: async () => (await import("./trace.ts")).trace(),
  sense: async () => (await import("./sense.ts")).sense(),
  watch: async () => (await import("./watch.ts")).watch(),
  concurrent: async () => (await import("./concurrent.ts")).concurrent(),
};

const [name = "", ...rest] = process.argv.slice(2);
const run = benchmarks[name];
if (run === undefined) {
  console.error(`Which one? bun run bench ${Object.keys(benchmarks).join(" | ")}  [--json]`);
  process.exit(2);
}
const report = await run();
console.log(table(report));
if (rest.includes("--json")) console.log(JSON.stringify(toJson(report)));
process.exit(0);
