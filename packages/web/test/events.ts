import {
  type DurableEvent,
  type EphemeralEvent,
  LoopConfig,
  LoopId,
  type StoredEvent,
  type ToolCall,
} from "@ralpher/contract";

export const loopId = LoopId.parse("11111111-1111-4111-8111-111111111111");
const began = Date.parse("2026-03-01T10:00:00.000Z");

type Body<E> = E extends unknown ? Omit<E, "loopId" | "at"> : never;

/** Time in the stories: each sequence number is a second after the one before. */
export const timeOf = (seq: number): string => new Date(began + seq * 1_000).toISOString();

export function stored(seq: number, body: Body<DurableEvent>): StoredEvent {
  return { ...body, loopId, at: timeOf(seq), seq } as StoredEvent;
}

export function ephemeral(body: Body<EphemeralEvent>): EphemeralEvent {
  return { ...body, loopId, at: timeOf(1_000) } as EphemeralEvent;
}

export const config = LoopConfig.parse({
  id: loopId,
  name: "parser",
  directory: "/home/ada/parser",
  prompt: "Make every test pass",
  createdAt: timeOf(0),
  updatedAt: timeOf(0),
});

export function toolCall(id: string, name: string, input: unknown, rest: Partial<ToolCall> = {}): ToolCall {
  return { id, name, input, output: "ok\n", outputBytes: 3, status: "completed", durationMs: 5, ...rest };
}

const usage = { inputTokens: 100, outputTokens: 20, costUsd: null };

/** A loop's first iteration and the beginning of its second, as the journal has it; sequence numbers from 1. */
export function story(): StoredEvent[] {
  const bodies: Body<DurableEvent>[] = [
    { type: "loop.created", config },
    { type: "loop.starting" },
    {
      type: "loop.workspace.ready",
      workspace: {
        kind: "worktree",
        directory: "/data/parser",
        repository: "/home/ada/parser",
        originalBranch: "main",
        workingBranch: "ralph/parser",
        baseSha: "a".repeat(40),
      },
    },
    { type: "loop.started", iteration: 1 },
    { type: "loop.iteration.start", iteration: 1 },
    { type: "loop.turn.start", iteration: 1, attempt: 1, prompt: "go" },
    { type: "loop.message", iteration: 1, message: { id: "m1", role: "assistant", kind: "text", content: "I begin." } },
    { type: "loop.tool_call", iteration: 1, tool: toolCall("t1", "Read", { file_path: "/data/parser/a.ts" }) },
    { type: "loop.tool_call", iteration: 1, tool: toolCall("t2", "Read", { file_path: "/data/parser/b.ts" }) },
    { type: "loop.tool_call", iteration: 1, tool: toolCall("t3", "read", { filePath: "/data/parser/c.ts" }) },
    { type: "loop.tool_call", iteration: 1, tool: toolCall("t4", "Bash", { command: "bun test" }) },
    { type: "loop.turn.end", iteration: 1, promised: false, usage },
    {
      type: "loop.git.commit",
      iteration: 1,
      commit: {
        iteration: 1,
        sha: "b".repeat(40),
        message: "[Ralph] Iteration 1",
        timestamp: timeOf(13),
        filesChanged: 2,
      },
    },
    { type: "loop.git.saved", iteration: 1, head: "b".repeat(40) },
    { type: "loop.iteration.end", iteration: 1, outcome: "continue" },
    { type: "loop.iteration.start", iteration: 2 },
    { type: "loop.turn.start", iteration: 2, attempt: 1, prompt: "go" },
  ];
  return bodies.map((body, index) => stored(index + 1, body));
}
