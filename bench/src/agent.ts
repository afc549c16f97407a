import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createScriptedBackend, narrow } from "@ralpher/agent";
import { openAcp } from "./contenders/acp.ts";
import { openClaude } from "./contenders/claude.ts";
import { answer, type Contender, type Ground, prompt } from "./contenders/contender.ts";
import { openOpencode, readNotes } from "./contenders/opencode.ts";
import { type Figure, median, type Report } from "./report.ts";
import { openFolder } from "./repository.ts";

const warmUp = 4;
const rounds = 24;
const turns = 1000;

/**
 * (d) What our layer costs: narrow over each agent, against the agent's own SDK called as its documentation shows, with
 * the same scripted turn. And what memory many turns leave behind in this process.
 */
export async function agent(): Promise<Report> {
  await using folder = await openFolder();
  const figures: Figure[] = [];
  for (const open of [openOpencode, openClaude, openAcp]) {
    await using contender = await open(await makeGround(join(folder.path, open.name)));
    figures.push(...(await compare(contender)));
    if (open === openOpencode) figures.push(await growth("1,000 turns, opencode", contender.ours));
  }
  figures.push(
    await growth("1,000 turns, scripted", await scriptedTurn(await makeGround(join(folder.path, "scripted")))),
  );
  return { name: "agent", figures };
}

async function makeGround(folder: string): Promise<Ground> {
  const ground = { home: join(folder, "home"), directory: join(folder, "work"), outputs: join(folder, "outputs") };
  await mkdir(ground.home, { recursive: true });
  await mkdir(ground.directory);
  await Bun.write(join(ground.directory, "notes.txt"), "one\n");
  return ground;
}

/** Both ways in turn, so that what else the machine does hits both. */
async function compare({ name, direct, ours }: Contender): Promise<Figure[]> {
  const times = { direct: [] as number[], ours: [] as number[] };
  const ways = { direct, ours };
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const way of round % 2 === 0 ? (["direct", "ours"] as const) : (["ours", "direct"] as const)) {
      const began = performance.now();
      await ways[way]();
      if (round >= warmUp) times[way].push(performance.now() - began);
    }
  }
  const value = median(times.ours);
  const floor = median(times.direct);
  return [
    { name: `turn, ${name}`, value, unit: "ms", floor, bar: { most: 1.05, of: "ratio" } },
    { name: "  more than its SDK", value: value - floor, unit: "ms", bar: { most: 10, of: "value" } },
  ];
}

async function scriptedTurn({ directory, outputs }: Ground): Promise<() => Promise<void>> {
  const script = join(directory, "script.json");
  const steps = [{ text: "I look.", tools: [readNotes] }, { text: answer }];
  await Bun.write(script, JSON.stringify({ conversations: [{ steps }] }));
  const backend = createScriptedBackend();
  return async () => void (await narrow({ backend, via: { script }, directory, outputs, prompt }));
}

async function growth(what: string, turn: () => Promise<void>): Promise<Figure> {
  for (let n = 0; n < turns / 10; n++) await turn();
  const before = settledMb();
  for (let n = 0; n < turns; n++) await turn();
  const value = Math.max(0, settledMb() - before);
  return { name: `memory after ${what}`, value, unit: "MB", bar: { most: 20, of: "value" } };
}

function settledMb(): number {
  Bun.gc(true);
  return process.memoryUsage.rss() / 1e6;
}
