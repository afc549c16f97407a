import { readFileSync } from "node:fs";
import { join } from "node:path";
import { median, type Report } from "./report.ts";
import { openFolder } from "./repository.ts";

const runs = 9;
const settleMs = 1500;

/** (b) From the start of the process to a healthy answer, and the memory it rests at. Floor: a bare Bun.serve. */
export async function start(): Promise<Report> {
  const ours = await measure(["packages/cli/src/ralpher.ts", "serve", "--port"], "/api/health");
  const bare = await measure(["bench/src/bare-server.ts"], "/");
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

async function measure(args: string[], path: string): Promise<{ healthyMs: number; rssMb: number }> {
  const root = join(import.meta.dir, "../..");
  const healthy: number[] = [];
  const rss: number[] = [];
  // One more than counted: the first run may build the dashboard and warms the file system's cache.
  for (let run = 0; run <= runs; run++) {
    await using folder = await openFolder();
    const port = freePort();
    const began = performance.now();
    const server = Bun.spawn([process.execPath, ...args, String(port)], {
      cwd: root,
      env: { ...process.env, RALPHER_DATA_DIR: folder.path, RALPHER_LOG_LEVEL: "error" },
      stdout: "ignore",
      stderr: "inherit",
    });
    while (!(await isHealthy(`http://127.0.0.1:${port}${path}`))) await Bun.sleep(2);
    if (run > 0) healthy.push(performance.now() - began);
    if (run > 0 && run % 3 === 0) {
      await Bun.sleep(settleMs);
      rss.push(rssOf(server.pid));
    }
    server.kill("SIGTERM");
    await server.exited;
  }
  return { healthyMs: median(healthy), rssMb: median(rss) };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port } = probe;
  probe.stop(true);
  return port ?? 0;
}

/** Resident memory in MB (Linux). */
function rssOf(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}
