import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentEvent, TurnResult } from "@ralpher/contract";
import { git } from "@ralpher/loop/lab";
import { openEngine } from "./open-engine.ts";
import { type Figure, median, type Report } from "./report.ts";
import { makeRepository, openFolder } from "./repository.ts";

/**
 * (a) What an iteration costs outside the agent's turn, against committing by hand in the same worktree; how many git
 * processes it takes; and that it does not grow with the log.
 */
export async function engine(): Promise<Report> {
  return {
    name: "engine",
    figures: [
      await overhead(10, { rounds: 12, perRound: 5, most: 1.5 }),
      await overhead(50_000, { rounds: 8, perRound: 3, most: 1.15 }),
      await gitProcesses(),
      await growth(),
    ],
  };
}

const unknown = { inputTokens: null, outputTokens: null, costUsd: null };
const done: TurnResult = { outcome: "done", text: "more to do", usage: unknown };

/** Rounds of iterations and rounds of commits by hand take turns, so that both meet the same machine. */
async function overhead(
  files: number,
  { rounds, perRound, most }: { rounds: number; perRound: number; most: number },
): Promise<Figure> {
  await using folder = await openFolder();
  const repository = join(folder.path, "repository");
  await makeRepository(repository, files);
  let change = 0;
  let ended = 0;
  const gaps: number[] = [];
  await using engine = await openEngine(folder.path, {
    async *play({ request }) {
      if (ended > 0) gaps.push(performance.now() - ended);
      await writeFile(join(request.directory, `change-${change++ % 5}.txt`), `${change}\n`);
      ended = performance.now();
      return done;
    },
  });
  const byHand: number[] = [];
  const loop = await engine.create(repository);
  for (let round = 1; round <= rounds; round++) {
    ended = 0;
    await engine.runTo(loop, round * (perRound + 1));
    const worktree = await engine.worktree(loop);
    for (let n = 0; n < perRound; n++) {
      await writeFile(join(worktree, `change-${change++ % 5}.txt`), `${change}\n`);
      const began = performance.now();
      await git(worktree, "add", "-A");
      await git(worktree, "commit", "-m", `by hand ${change}`);
      byHand.push(performance.now() - began);
    }
  }
  return {
    name: `iteration outside the turn, ${files} files`,
    value: median(gaps),
    floor: median(byHand),
    unit: "ms",
    bar: { most, of: "ratio" },
  };
}

/** A git on the way to git that counts. */
async function gitProcesses(): Promise<Figure> {
  await using folder = await openFolder();
  const repository = join(folder.path, "repository");
  await makeRepository(repository, 10);
  const calls = join(folder.path, "calls");
  await mkdir(join(folder.path, "bin"));
  const counting = join(folder.path, "bin", "git");
  await writeFile(counting, `#!/bin/sh\necho "$*" >> '${calls}'\nexec '${Bun.which("git")}' "$@"\n`);
  await chmod(counting, 0o755);
  const counts: number[] = [];
  let change = 0;
  const countCalls = async () => (await readFile(calls, "utf8").catch(() => "")).split("\n").length - 1;
  let before = 0;
  await using engine = await openEngine(folder.path, {
    git: counting,
    async *play({ request }) {
      if (change > 0) counts.push((await countCalls()) - before);
      await writeFile(join(request.directory, "change.txt"), `${change++}\n`);
      before = await countCalls();
      return done;
    },
  });
  await engine.runTo(await engine.create(repository), 11);
  return {
    name: "git processes an iteration",
    value: Math.max(...counts),
    unit: "processes",
    bar: { most: 3, of: "value" },
  };
}

/** The first ten iterations against the last ten of fifty, with a talkative agent, turn included; of several loops. */
async function growth(): Promise<Figure> {
  await using folder = await openFolder();
  const repository = join(folder.path, "repository");
  await makeRepository(repository, 10);
  let starts: number[] = [];
  await using engine = await openEngine(folder.path, {
    async *play({ request }) {
      starts.push(performance.now());
      await writeFile(join(request.directory, "change.txt"), `${starts.length}\n`);
      yield* talk(100, 20);
      return done;
    },
  });
  const first: number[] = [];
  const last: number[] = [];
  for (let loop = 0; loop < 6; loop++) {
    starts = [];
    await engine.runTo(await engine.create(repository), 51);
    const lengths = starts.slice(1).map((at, n) => at - (starts[n] ?? 0));
    first.push(...lengths.slice(0, 10));
    last.push(...lengths.slice(-10));
  }
  return {
    name: "iterations 41–50 against 1–10, 20 tools and 100 deltas each",
    value: median(last),
    floor: median(first),
    unit: "ms",
    bar: { most: 1.1, of: "ratio" },
  };
}

/** So many deltas of one message, then so many tool calls. */
export async function* talk(deltas: number, tools: number): AsyncGenerator<AgentEvent, void, void> {
  const text = "some words of an answer ";
  for (let n = 0; n < deltas; n++) yield { type: "message.delta", messageId: "m", kind: "text", delta: text };
  yield { type: "message.complete", messageId: "m", kind: "text", text: text.repeat(deltas) };
  for (let n = 0; n < tools; n++) {
    const input = { filePath: `file-${n}.txt` };
    yield { type: "tool.start", callId: `t${n}`, name: "read", input };
    const output = "a line of output\n".repeat(20);
    yield {
      type: "tool.complete",
      tool: {
        id: `t${n}`,
        name: "read",
        input,
        output,
        outputBytes: output.length,
        status: "completed",
        durationMs: 1,
      },
    };
  }
}
