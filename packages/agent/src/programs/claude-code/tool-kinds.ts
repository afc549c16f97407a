import type { ToolAccess, ToolKind } from "@ralpher/contract";
import type { WantedCall } from "../../tools/judge.ts";

/** The tool through which a model gives a structured answer. */
export const structuredTool = "StructuredOutput";

/** Claude Code's tools, as far as we know what they do. `Task` is what `Agent` was called. */
const kinds: Record<string, ToolKind> = {
  Read: "read",
  Glob: "search",
  Grep: "search",
  Edit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  Bash: "run",
  WebFetch: "web",
  WebSearch: "web",
  Agent: "delegate",
  Task: "delegate",
};

/**
 * What no session of ours has. Nobody is there to answer questions or to approve a plan; a session works in its
 * directory, not in a worktree that the agent makes; and a turn ends with its answer, so that nothing may wake the agent
 * afterwards or go on behind its back.
 */
export const unusableTools = [
  "AskUserQuestion",
  "EnterPlanMode",
  "EnterWorktree",
  "ExitWorktree",
  "ScheduleWakeup",
  "CronCreate",
  "Monitor",
  "Workflow",
  // They reach the user's other sessions on this machine.
  "SendMessage",
  "ListAgents",
];

/** The tools that are offered where only this is allowed. What each call wants is still to be judged. */
export function toolsFor({ kinds: allowed, commands }: ToolAccess): string[] {
  const isWanted = (kind: ToolKind) => allowed.includes(kind) || (kind === "run" && commands.length > 0);
  return Object.entries(kinds).flatMap(([name, kind]) => (name !== "Task" && isWanted(kind) ? [name] : []));
}

/** What a tool call wants. Paths are absolute, or relative to the session's directory. */
export function readWantedCall(name: string, input: Record<string, unknown>): WantedCall {
  // A subagent in a copy of the repository, or in the cloud, is held to other rules.
  const isElsewhere = name === "Agent" && input.isolation !== undefined;
  const kind = isElsewhere ? null : (kinds[name] ?? null);
  const command = textsOf(input.command)[0];
  return { kind, name, ...(command === undefined ? {} : { command }), paths: pathsOf(name, input) };
}

function pathsOf(name: string, { file_path, notebook_path, path, pattern }: Record<string, unknown>): string[] {
  const paths = textsOf(file_path, notebook_path, path);
  // A pattern of files can be a path itself, and can lead upwards in more ways than a path can.
  const files = name === "Glob" ? textsOf(pattern) : [];
  return [...paths, ...files.map((text) => (text.includes("..") ? ".." : text))].map(placeOf);
}

/** Claude Code takes blanks off a path, and has a `~` at its beginning for the home, which is no place to look into. */
function placeOf(path: string): string {
  const place = path.trim();
  return place.startsWith("~") ? `/${place}` : place;
}

const textsOf = (...values: unknown[]) => values.filter((value) => typeof value === "string");
