import { join } from "node:path";
import { git } from "@ralpher/loop/lab";
import { median, type Report } from "./report.ts";
import { makeRepository, openFolder } from "./repository.ts";

const loops = 50;
const iterations = 10;
const runs = 3;

export interface ConcurrentResult {
  seconds: number;
  /** Most resident memory of the engine's process, MB. */
  rssMb: number;
  unfinished: number;
  processesLeft: number;
}

/**
 * (c) Fifty loops of ten iterations at once in one repository, 5 deltas and 2 tool calls a turn, in a process of their
 * own. Floor: the same worktrees and commits made by hand, two at a time.
 */
export async function concurrent(): Promise<Report> {
  const results: ConcurrentResult[] = [];
  const floors: number[] = [];
  for (let run = 0; run < runs; run++) {
    floors.push(await byHand());
    const engine = Bun.spawn([process.execPath, join(import.meta.dir, "concurrent-engine.ts")], {
      stdout: "pipe",
      stderr: "inherit",
    });
    results.push(JSON.parse(await new Response(engine.stdout).text()));
  }
  const of = (key: keyof ConcurrentResult) => results.map((result) => result[key]);
  return {
    name: "concurrent",
    figures: [
      {
        name: `${loops} loops × ${iterations} iterations`,
        value: median(of("seconds")),
        floor: median(floors),
        unit: "s",
        bar: { most: 6, of: "value" },
      },
      {
        name: "memory of the engine, most",
        value: Math.max(...of("rssMb")),
        unit: "MB",
        bar: { most: 200, of: "value" },
      },
      {
        name: "failed or unfinished",
        value: Math.max(...of("unfinished")),
        unit: "loops",
        bar: { most: 0, of: "value" },
      },
      {
        name: "processes left",
        value: Math.max(...of("processesLeft")),
        unit: "processes",
        bar: { most: 0, of: "value" },
      },
    ],
  };
}

async function byHand(): Promise<number> {
  await using folder = await openFolder();
  const repository = join(folder.path, "repository");
  await makeRepository(repository, 10);
  const began = performance.now();
  const names = Array.from({ length: loops }, (_, n) => `w${n}`);
  for (const name of names) await git(repository, "worktree", "add", "-q", "-b", name, join(folder.path, name));
  const work = async (name: string) => {
    for (let n = 0; n < iterations; n++) {
      await Bun.write(join(folder.path, name, "change.txt"), `${n}\n`);
      await git(join(folder.path, name), "add", "-A");
      await git(join(folder.path, name), "commit", "-m", `by hand ${n}`);
    }
  };
  const lanes = [names.filter((_, n) => n % 2 === 0), names.filter((_, n) => n % 2 === 1)];
  await Promise.all(
    lanes.map(async (lane) => {
      for (const name of lane) await work(name);
    }),
  );
  return (performance.now() - began) / 1000;
}
