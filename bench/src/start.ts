import { median, type Report } from "./report.ts";
import { openFolder } from "./repository.ts";
import { rssOf, type Served, serveBare, serveRalpher } from "./served.ts";

const runs = 9;
const settleMs = 1500;

/** (b) From the start of the process to a healthy answer, and the memory it rests at. Floor: a bare Bun.serve. */
export async function start(): Promise<Report> {
  const ours = await measure(serveRalpher);
  const bare = await measure(() => serveBare());
  return {
    name: "start",
    figures: [
      {
        name: "healthy after",
        value: ours.healthyMs,
        unit: "ms",
        floor: bare.healthyMs,
        bar: { most: 250, of: "value" },
      },
      { name: "memory at rest", value: ours.rssMb, unit: "MB", floor: bare.rssMb, bar: { most: 90, of: "value" } },
    ],
  };
}

async function measure(serve: (dataFolder: string) => Promise<Served>): Promise<{ healthyMs: number; rssMb: number }> {
  const healthy: number[] = [];
  const rss: number[] = [];
  // One more than counted: the first run may build the dashboard and warms the file system's cache.
  for (let run = 0; run <= runs; run++) {
    await using folder = await openFolder();
    const began = performance.now();
    await using server = await serve(folder.path);
    if (run === 0) continue;
    healthy.push(performance.now() - began);
    if (run % 3 !== 0) continue;
    await Bun.sleep(settleMs);
    rss.push(rssOf(server.pid));
  }
  return { healthyMs: median(healthy), rssMb: median(rss) };
}
