import type { JsonSchema } from "@ralpher/contract";

/** What a prompt says at its end when its answer is wanted in a form: the protocol has no other way to ask for it. */
export function askFor(schema: JsonSchema): string {
  return [
    "",
    "",
    "End your answer with one fenced block of JSON (a line ```json, the JSON, a line ```), and with nothing behind it.",
    "The JSON must satisfy this JSON Schema:",
    "```json",
    JSON.stringify(schema),
    "```",
  ].join("\n");
}

// Fences stand at the beginning of a line, and inside JSON there is no such thing: its strings have no line breaks.
const fencedBlock = /^[ \t]*```[\w-]*[ \t]*\r?\n([\s\S]*?)^[ \t]*```[ \t]*$/gm;

/** The JSON object that a text is or ends with, as it was given; undefined when there is none. */
export function readStructured(text: string): object | undefined {
  const blocks = [...text.matchAll(fencedBlock)].map(([, inside = ""]) => inside);
  for (const candidate of [...blocks.toReversed(), text]) {
    const value = parseObject(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
