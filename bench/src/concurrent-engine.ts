// The process that `concurrent` measures: prints one ConcurrentResult.
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConcurrentResult } from "./concurrent.ts";
import { talk } from "./engine.ts";
import { openEngine } from "./open-engine.ts";
import { makeRepository, openFolder } from "./repository.ts";

const loops = 50;
const iterations = 10;

await using folder = await openFolder();
const repository = join(folder.path, "repository");
await makeRepository(repository, 10);
let changes = 0;
let rssMb = 0;
const watch = setInterval(() => {
  rssMb = Math.max(rssMb, process.memoryUsage.rss() / 1024 / 1024);
}, 50);

const began = performance.now();
let unfinished = 0;
{
  await using engine = await openEngine(folder.path, {
    async *play({ request }) {
      await writeFile(join(request.directory, "change.txt"), `${changes++}\n`);
      yield* talk(5, 2);
      const usage = { inputTokens: 10, outputTokens: 10, costUsd: null };
      return { outcome: "done", text: "more to do", usage };
    },
  });
  const start = (name: string) => engine.create(repository, { name, maxIterations: iterations, start: {} });
  const ids = await Promise.all(Array.from({ length: loops }, (_, n) => start(`loop ${n}`)));
  await Promise.all(ids.map(engine.atRest));
  for (const id of ids) {
    const view = await engine.hub.require(id);
    if (view.phase.status !== "max_iterations" || view.commitCount !== iterations) unfinished += 1;
  }
}
const seconds = (performance.now() - began) / 1000;
clearInterval(watch);
const result: ConcurrentResult = { seconds, rssMb, unfinished, processesLeft: children() };
console.log(JSON.stringify(result));
process.exit(0);

/** Living child processes of this one (Linux). */
function children(): number {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === process.pid;
    } catch {
      return false;
    }
  }).length;
}
