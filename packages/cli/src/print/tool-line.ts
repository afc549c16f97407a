import type { ToolCall } from "@ralpher/contract";
import { bad, dim } from "./style.ts";
import { cut, duration, short } from "./words.ts";

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
  const line = `  ${dim("·")} ${cut(tool.name, 40)} ${cut(object, 90)} ${dim(duration(tool.durationMs))}`;
  return tool.status === "error" ? `${line} ${bad(short(tool.output, 80) || "failed")}` : line;
}
