import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fillItems } from "./fill-items.ts";
import { median, type Report } from "./report.ts";
import { openFolder } from "./repository.ts";

const items = 1_000;
const runs = 25;

/** (h) `trc ready` as a whole process, over a thousand items and five thousand comments. Floor: an empty Bun script. */
export async function trace(): Promise<Report> {
  await using folder = await openFolder();
  const home = join(folder.path, "home");
  const repository = join(folder.path, "repository");
  await mkdir(join(repository, ".git"), { recursive: true });
  await fillItems({ home, directory: repository, items });
  const empty = join(folder.path, "empty.ts");
  await Bun.write(empty, "");
  const trc = join(import.meta.dir, "../../packages/cli/src/trc.ts");
  const [ours, floor]: [number[], number[]] = [[], []];
  // One more than counted, to warm the file system's cache; in turns, so that both meet the same machine.
  for (let run = 0; run <= runs; run++) {
    const one = await time([trc, "ready"], repository, home);
    const other = await time([empty], repository, home);
    if (run === 0) continue;
    ours.push(one);
    floor.push(other);
  }
  return {
    name: "trace",
    figures: [
      { name: "trc ready", value: median(ours), unit: "ms", floor: median(floor) },
      {
        name: "above the floor",
        value: median(ours) - median(floor),
        unit: "ms",
        bar: { most: 40, of: "value" },
      },
    ],
  };
}

async function time(args: string[], cwd: string, home: string): Promise<number> {
  const began = performance.now();
  const run = Bun.spawn([process.execPath, ...args], {
    cwd,
    env: { ...process.env, TRACE_HOME: home },
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await run.exited) !== 0) throw new Error(`${args.join(" ")} ended with ${run.exitCode}`);
  return performance.now() - began;
}
