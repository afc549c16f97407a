import type { ToolCall } from "@ralpher/contract";
import { exactCount, plural } from "./count.ts";
import { cutMiddle, cutPath, firstLine, lastLine, pathFrom } from "./cut.ts";

export type ToolKind = "read" | "write" | "edit" | "run" | "search" | "web" | "plan" | "agent" | "other";

/** A tool call in words: `Read src/index.ts`, `Run bun test`. `exact` is the object in full, for a hover. */
export interface ToolWords {
  kind: ToolKind;
  verb: string;
  object: string;
  exact: string;
}

const objectLength = 96;

/** The names agents give their tools, in lower case, and which inputs say what it is about. */
const tools: Record<string, { kind: ToolKind; verb: string; about: string[] }> = {
  read: { kind: "read", verb: "Read", about: ["file_path", "filePath", "path"] },
  view: { kind: "read", verb: "Read", about: ["path", "file_path"] },
  write: { kind: "write", verb: "Write", about: ["file_path", "filePath", "path"] },
  edit: { kind: "edit", verb: "Edit", about: ["file_path", "filePath", "path"] },
  multiedit: { kind: "edit", verb: "Edit", about: ["file_path", "filePath", "path"] },
  notebookedit: { kind: "edit", verb: "Edit", about: ["notebook_path"] },
  patch: { kind: "edit", verb: "Patch", about: ["path"] },
  apply_patch: { kind: "edit", verb: "Patch", about: ["path"] },
  bash: { kind: "run", verb: "Run", about: ["command"] },
  shell: { kind: "run", verb: "Run", about: ["command"] },
  grep: { kind: "search", verb: "Search", about: ["pattern"] },
  glob: { kind: "search", verb: "Find", about: ["pattern"] },
  list: { kind: "search", verb: "List", about: ["path"] },
  ls: { kind: "search", verb: "List", about: ["path"] },
  webfetch: { kind: "web", verb: "Fetch", about: ["url"] },
  websearch: { kind: "web", verb: "Search the web for", about: ["query"] },
  todowrite: { kind: "plan", verb: "Plan", about: [] },
  todoread: { kind: "plan", verb: "Look at the plan", about: [] },
  task: { kind: "agent", verb: "Delegate", about: ["description", "prompt"] },
};

function textOf(input: unknown, names: string[]): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = input as Record<string, unknown>;
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}

/** Describe a call by its tool's name and input. `root` is the folder the agent works in; paths inside are relative. */
export function describeTool(name: string, input: unknown, root: string | null): ToolWords {
  const known = tools[name.toLowerCase()];
  if (known === undefined) {
    const about = textOf(input, ["file_path", "filePath", "path", "command", "query", "url", "description", "title"]);
    return { kind: "other", verb: name, object: cutMiddle(firstLine(about), objectLength), exact: about };
  }
  const { kind, verb } = known;
  if (kind === "plan") return { kind, verb, object: todoCount(input), exact: "" };
  const about = textOf(input, known.about);
  if (kind === "read" || kind === "write" || kind === "edit") {
    return { kind, verb, object: cutPath(pathFrom(root, about), objectLength), exact: about };
  }
  return { kind, verb, object: cutMiddle(firstLine(about), objectLength), exact: about };
}

function todoCount(input: unknown): string {
  const todos = typeof input === "object" && input !== null ? (input as Record<string, unknown>).todos : null;
  return Array.isArray(todos) ? plural(todos.length, "step") : "";
}

/** What came of a call, in a few words: its last line for a command, how much for a read or a search. */
export function resultOf(tool: ToolCall): string {
  if (tool.status === "error") return cutMiddle(firstLine(tool.output) || "failed", 80);
  const { kind } = tools[tool.name.toLowerCase()] ?? { kind: "other" };
  if (kind === "edit" || kind === "write" || kind === "plan") return "";
  if (tool.output.trim() === "") return "nothing";
  const whole = tool.output.length >= tool.outputBytes;
  if (kind === "read" || kind === "search") {
    return whole ? plural(tool.output.trimEnd().split("\n").length, "line") : `${exactCount(tool.outputBytes)} bytes`;
  }
  return cutMiddle(lastLine(tool.output), 64);
}

/** Is it a plain, successful look at a file? Several in a row are one line in the log. */
export function isQuietRead(tool: ToolCall): boolean {
  return tool.status === "completed" && tools[tool.name.toLowerCase()]?.kind === "read";
}
