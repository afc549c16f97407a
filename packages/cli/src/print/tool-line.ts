import type { ToolCall } from "@ralpher/contract";
import { bad, dim } from "./style.ts";
import { cut, duration, short } from "./words.ts";
import { screenWidth } from "./wrapped.ts";

/** The input fields that say best what a tool works on, most telling first; agents name them differently. */
const telling = ["command", "filePath", "file_path", "path", "pattern", "query", "url", "description"];

/** What a tool works on, in a few words. */
export function toolObject(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = input as Record<string, unknown>;
  for (const field of telling) if (typeof fields[field] === "string") return short(fields[field], 90);
  return "";
}

/** `bash bun test · 1.2 s`, with the reason when it failed. */
export function toolLine(tool: ToolCall, directory: string): string {
  const object = toolObject(tool.input).replaceAll(`${directory}/`, "");
  const took = duration(tool.durationMs);
  const name = cut(tool.name, 40);
  const line = `  ${dim("·")} ${name} ${cut(object, Math.max(20, screenWidth() - name.length - took.length - 6))} ${dim(took)}`;
  if (tool.status !== "error") return line;
  return `${line}\n    ${bad(cut(short(tool.output, 200) || "failed", screenWidth() - 4))}`;
}
