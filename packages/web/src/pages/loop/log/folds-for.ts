import type { ToolCall } from "@ralpher/contract";
import type { LogEntry } from "../../../feed/log.ts";
import { findAll } from "./find-text.ts";

/** What has to be folded out, so that the text that was searched for can be seen in this entry. */
export function foldsFor(entry: LogEntry, text: string): string[] {
  switch (entry.kind) {
    case "reasoning":
    case "prompt":
    case "tool":
    case "soda":
    case "task":
      return [entry.key];
    case "reads":
      return [entry.key, ...entry.tools.filter((tool) => holds(tool, text)).map((tool) => `${entry.key}/${tool.id}`)];
    default:
      return [];
  }
}

function holds(tool: ToolCall, text: string): boolean {
  return [tool.name, tool.output, JSON.stringify(tool.input) ?? ""].some((each) => findAll(each, text).length > 0);
}
