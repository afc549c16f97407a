import type { DurableEvent, Journal, LoopId, ToolCall } from "@ralpher/contract";
import { LoopConfig } from "@ralpher/contract";

type Body<E> = E extends unknown ? Omit<E, "loopId" | "at"> : never;

/** From one event to the next, in milliseconds. */
const pace = 700;
const files = ["src/parser.ts", "src/lexer.ts", "test/parser.test.ts", "README.md", "src/report/table.ts"];
/** So many log entries an iteration has, its own lines included. */
export const entriesPerIteration = 100;

const sentence = "The parser reads numbers, strings and lists; an unclosed list is told with its line. ";
const code = "export function parse(text: string): Node {\n  const tokens = lex(text);\n  return program(tokens);\n}\n";

/** A loop in the middle of a long run, with so many events, as the journal would have recorded them one by one. */
export async function writeLongLoop(journal: Journal, loopId: LoopId, entries: number): Promise<void> {
  let n = 0;
  const began = Date.now() - entries * pace;
  const stamp = (body: Body<DurableEvent>): DurableEvent =>
    ({ ...body, loopId, at: new Date(began + n++ * pace).toISOString() }) as DurableEvent;
  await journal.append(loopId, () => beginning(loopId, began).map(stamp));
  for (let iteration = 1; n < entries; iteration += 1) {
    const last = n + entriesPerIteration >= entries;
    await journal.append(loopId, () => oneIteration(iteration, entriesPerIteration, last).map(stamp));
  }
}

function beginning(id: LoopId, began: number): Body<DurableEvent>[] {
  const at = new Date(began).toISOString();
  const config = LoopConfig.parse({
    id,
    name: "A long night",
    directory: "/home/ada/parser",
    prompt: `Make every test pass.\n\n${sentence.repeat(6)}`,
    backend: { type: "scripted" },
    createdAt: at,
    updatedAt: at,
  });
  const workspace = {
    kind: "worktree" as const,
    directory: "/home/ada/.ralpher/worktrees/parser",
    repository: "/home/ada/parser",
    originalBranch: "main",
    workingBranch: "ralph/parser",
    baseSha: "a".repeat(40),
  };
  return [
    { type: "loop.created", config },
    { type: "loop.starting" },
    { type: "loop.workspace.ready", workspace },
    { type: "loop.started", iteration: 1 },
  ];
}

/** One iteration's events; the last one of a loop stays open, its turn under way. */
export function oneIteration(iteration: number, entries: number, open: boolean): Body<DurableEvent>[] {
  const prompt = `Make every test pass.\n\n${sentence.repeat(12)}\n---\nThis is iteration ${iteration} of an autonomous loop.`;
  const work = Array.from({ length: entries - 6 }, (_, index) => oneEntry(iteration, index));
  const started: Body<DurableEvent>[] = [
    { type: "loop.iteration.start", iteration },
    { type: "loop.turn.start", iteration, attempt: 1, prompt },
  ];
  if (open) return [...started, ...work];
  const sha = iteration.toString(16).padStart(40, "c");
  const usage = { inputTokens: 41_000 + iteration, outputTokens: 3_000, costUsd: 0.17 };
  const commit = {
    iteration,
    sha,
    message: `[Ralph] Iteration ${iteration}: the parser reads more`,
    timestamp: new Date().toISOString(),
    filesChanged: 3,
  };
  return [
    ...started,
    ...work,
    { type: "loop.turn.end", iteration, promised: false, usage },
    { type: "loop.git.commit", iteration, commit },
    { type: "loop.git.saved", iteration, head: sha },
    { type: "loop.iteration.end", iteration, outcome: iteration % 17 === 0 ? "error" : "continue" },
  ];
}

/** What an agent does, over and over: it thinks, reads, searches, edits, runs the tests, and says what it found. */
export function oneEntry(iteration: number, index: number): Body<DurableEvent> {
  const message = (kind: "text" | "reasoning", content: string): Body<DurableEvent> => ({
    type: "loop.message",
    iteration,
    message: { id: `m${index}`, role: "assistant", kind, content },
  });
  const tool = (name: string, input: unknown, output: string): Body<DurableEvent> => {
    const id = `t${index}`;
    const done = { output, outputBytes: output.length, status: "completed", durationMs: 12 + index } as const;
    const call: ToolCall = { id, name, input, ...done };
    return { type: "loop.tool_call", iteration, tool: call };
  };
  const path = files[index % files.length];
  switch (index % 8) {
    case 0:
      return message("reasoning", `Next is ${path}. ${sentence.repeat(4)}`);
    case 1:
      return tool("read", { filePath: path }, code.repeat(24));
    case 2:
      return tool("read", { filePath: "src/lexer.ts" }, code.repeat(12));
    case 3:
      return tool("grep", { pattern: "unclosed", path: "src" }, `${path}:12: unclosed list\n`.repeat(9));
    case 4:
      return tool("edit", { filePath: path, oldString: code, newString: code.replace("lex(", "lexAll(") }, "Edited.");
    case 5:
      return tool(
        "bash",
        { command: "bun test", description: "Run the tests" },
        `(pass) parser reads a list\n`.repeat(40),
      );
    case 6:
      return message(
        "text",
        `### What I found\n\n${sentence}\n\n- **${path}** has \`parse()\`, which calls \`lex()\`\n- one test fails: *an unclosed list*\n\n\`\`\`ts\n${code}\`\`\`\n`,
      );
    default:
      return message("text", `Step ${index} of iteration ${iteration}. ${sentence.repeat(2)}`);
  }
}
