import { boundOutput } from "../../tool-output.ts";

type Output = ReturnType<typeof boundOutput>;

/**
 * What a tool printed. `content` is what the model is given of it; `result` is Claude Code's own record of a call, in a
 * form that differs from tool to tool.
 */
export function outputOf(content: unknown, result: unknown): Output {
  return outputOfCommand(result) ?? boundOutput(textOf(content));
}

/** Of a large output the model is given the first lines; the record has more of it, and its size. */
function outputOfCommand(result: unknown): Output | null {
  if (typeof result !== "object" || result === null) return null;
  const { stdout, stderr, persistedOutputSize } = result as Record<string, unknown>;
  if (typeof stdout !== "string" || typeof persistedOutputSize !== "number") return null;
  const kept = boundOutput(typeof stderr === "string" ? stdout + stderr : stdout);
  const left = persistedOutputSize - kept.outputBytes;
  if (left <= 0) return kept;
  const mark = Buffer.byteLength(kept.output) < kept.outputBytes ? "" : `\n[… ${left} bytes left out …]`;
  return { output: kept.output + mark, outputBytes: persistedOutputSize };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block: { type?: unknown; text?: unknown }) =>
      typeof block.text === "string" ? block.text : `[${block.type}]`,
    )
    .join("\n");
}
