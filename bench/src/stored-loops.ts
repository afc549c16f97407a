import { randomUUID } from "node:crypto";
import { type DurableEvent, LoopConfig, LoopId } from "@ralpher/contract";
import { openJournal } from "@ralpher/store";

const entriesAnIteration = 20;
const text = "The parser keeps its place now; the two tests that were red are green, and what is left is the third. ";

/** Write loops that ran to their end into a journal, with so many entries each, as the engine would have. */
export async function storeLoops(path: string, loops: number, entries: number): Promise<LoopId[]> {
  await using journal = openJournal({ path });
  const ids = Array.from({ length: loops }, () => LoopId.parse(randomUUID()));
  for (const [n, id] of ids.entries()) await journal.append(id, () => historyOf(id, n, entries));
  return ids;
}

function historyOf(loopId: LoopId, n: number, entries: number): DurableEvent[] {
  let clock = Date.UTC(2026, 0, 1) + n * 3_600_000;
  const base = () => {
    clock += 1_500;
    return { loopId, at: new Date(clock).toISOString() };
  };
  const at = new Date(clock).toISOString();
  const sha = () => randomUUID().replaceAll("-", "").padEnd(40, "0");
  const directory = `/home/somebody/projects/project-${n % 20}`;
  const config = LoopConfig.parse({
    id: loopId,
    name: `Make the tests of part ${n} pass`,
    directory,
    prompt: text.repeat(5),
    createdAt: at,
    updatedAt: at,
  });
  const workspace = {
    kind: "worktree" as const,
    directory: `/home/somebody/.ralpher/worktrees/${loopId}`,
    repository: directory,
    originalBranch: "main",
    workingBranch: `ralph/part-${n}`,
    baseSha: sha(),
  };
  const events: DurableEvent[] = [
    { ...base(), type: "loop.created", config },
    { ...base(), type: "loop.starting" },
    { ...base(), type: "loop.workspace.ready", workspace },
    { ...base(), type: "loop.started", iteration: 1 },
  ];
  for (let iteration = 1; events.length < entries - 1; iteration++) {
    const head = sha();
    events.push(
      { ...base(), type: "loop.iteration.start", iteration },
      { ...base(), type: "loop.turn.start", iteration, attempt: 1, prompt: text.repeat(8) },
      { ...base(), type: "loop.session", iteration, session: { id: randomUUID() } },
    );
    for (let call = 0; call < entriesAnIteration - 7; call++) {
      const id = `${iteration}-${call}`;
      events.push(
        call % 3 === 0
          ? {
              ...base(),
              type: "loop.message",
              iteration,
              message: { id, role: "assistant", kind: "text", content: text.repeat(3) },
            }
          : {
              ...base(),
              type: "loop.tool_call",
              iteration,
              tool: {
                id,
                name: "bash",
                input: { command: `bun test part-${call}` },
                output: text.repeat(4),
                outputBytes: 400,
                status: "completed",
                durationMs: 120,
              },
            },
      );
    }
    const commit = { iteration, sha: head, message: `[Ralph] Iteration ${iteration}`, timestamp: at, filesChanged: 2 };
    const usage = { inputTokens: 12_000, outputTokens: 900, costUsd: 0.04 };
    events.push(
      { ...base(), type: "loop.turn.end", iteration, promised: false, usage },
      { ...base(), type: "loop.git.commit", iteration, commit },
      { ...base(), type: "loop.git.saved", iteration, head },
      { ...base(), type: "loop.iteration.end", iteration, outcome: "continue" },
    );
  }
  events.push({ ...base(), type: "loop.completed", totalIterations: Math.floor(entries / entriesAnIteration) });
  return events;
}
