import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createVaults } from "@ralpher/vault";
import { median, type Report } from "./report.ts";
import { openFolder } from "./repository.ts";
import { rssOf } from "./served.ts";

const files = 20_000;
/** Material that is no task. */
const inSpecs = 2_000;
const idleMs = 10_000;
const drops = 20;
const config = "autonomous_loop:\n  iteration_interval_seconds: 0\n";

/**
 * (i) A vault of twenty thousand notes, two thousand of them below the specs folder: what watching it costs while nothing
 * happens, and how soon an agent begins on a dropped task. Floor: the same engine without a vault.
 */
export async function watch(): Promise<Report> {
  await using folder = await openFolder();
  const root = join(folder.path, "vault");
  await fill(root);
  await using bare = await start([folder.path]);
  await using watching = await start([folder.path, root]);
  // What starting left to do is done by then.
  await Bun.sleep(2_000);
  const before = [cpuMs(bare.pid), cpuMs(watching.pid)] as const;
  await Bun.sleep(idleMs);
  const idle = [cpuMs(bare.pid) - before[0], cpuMs(watching.pid) - before[1]] as const;
  const memory = [rssOf(bare.pid), rssOf(watching.pid)] as const;
  const latencies: number[] = [];
  for (let drop = 0; drop < drops; drop++) latencies.push(await timeDrop(root, drop, watching));
  return {
    name: "watch",
    figures: [
      {
        name: `of a core while idle, ${files} files`,
        value: (100 * idle[1]) / idleMs,
        floor: (100 * idle[0]) / idleMs,
        unit: "%",
        bar: { most: 1, of: "value" },
      },
      { name: "memory", value: memory[1], floor: memory[0], unit: "MB" },
      { name: "memory above the floor", value: memory[1] - memory[0], unit: "MB", bar: { most: 60, of: "value" } },
      { name: "an agent begins on a dropped task, median", value: median(latencies), unit: "ms" },
      { name: "the slowest", value: Math.max(...latencies), unit: "ms", bar: { most: 1_000, of: "value" } },
    ],
  };
}

async function fill(root: string): Promise<void> {
  await createVaults({ runProgram: () => Promise.reject(new Error("no program is run")), version: "0.0.0" }).init(root);
  await writeFile(join(root, "Control", "autonomous_loop_config.yaml"), config);
  for (let n = 0; n < files; n++) {
    const folder = join(root, n < inSpecs ? "Specs" : "Notes", `folder-${Math.floor(n / 20)}`);
    const file = join(folder, `note-${n}.${n < inSpecs ? "txt" : "md"}`);
    if (n % 20 === 0) await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `# Note ${n}\n\n- [ ] something\n`);
  }
}

interface Watching extends AsyncDisposable {
  pid: number;
  /** The time of the next that it tells; ms since 1970. */
  told(): Promise<number>;
}

async function start(args: string[]): Promise<Watching> {
  const script = join(import.meta.dir, "watch-vault.ts");
  const child = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
  const lines = linesOf(child.stdout);
  await lines.next();
  return {
    pid: child.pid,
    async told() {
      const { value = "" } = await lines.next();
      return Number(value.split(" ")[1]);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  return rest;
}

/** Every other into a folder of its own, as people do. */
async function timeDrop(root: string, drop: number, watching: Watching): Promise<number> {
  const ready = join(root, "Notes", `drop-${drop}`);
  await mkdir(ready, { recursive: true });
  await writeFile(join(ready, "tasks.md"), "- [ ] a\n");
  const told = watching.told();
  const at = performance.timeOrigin + performance.now();
  if (drop % 2 === 0) await rename(ready, join(root, "Specs", `drop-${drop}`));
  else await rename(join(ready, "tasks.md"), join(root, "Specs", `drop-${drop}.md`));
  const latency = (await told) - at;
  // What belongs to this one is over by then.
  await Bun.sleep(300);
  return latency;
}

/** Processor time so far, user and system, ms (Linux). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
