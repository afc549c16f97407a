import type { FaultCode, FaultData } from "@ralpher/contract";
import { type Fault, isFault } from "@ralpher/contract/fault";

/** What the original says besides, command by command. */
const outsideHints: Record<string, string> = {
  init: "\nRun 'git init' first or use 'trc init' inside a git repo",
  create: "\nRun 'trc init' first or use --project <name>",
  list: ". Use --project any to list all issues.",
  ready: ". Use --project any to see all ready work.",
};
const unknownHints: Record<string, string> = {
  create: "\nHint: Run 'trc init' in the target project first",
  move: "\nHint: Run 'trc init' in the target project first",
  list: "\nHint: Run 'trc list --project any' to see all projects",
  ready: "\nHint: Run 'trc ready --project any' to see all ready work",
};

interface Where {
  command: string;
  /** The item that the command is about. */
  id?: string | undefined;
}

type Sayings = { [C in FaultCode]?: (data: FaultData[C], where: Where) => string };

const sayings: Sayings = {
  not_a_repository: (_, { command }) => `Not in a git repository${outsideHints[command] ?? ""}`,
  project_unknown: ({ project }, { command }) =>
    command in unknownHints
      ? `Project '${project}' not found in registry${unknownHints[command]}`
      : command === "repair"
        ? `Project '${project}' not found`
        : `Cannot find project path for ${project}`,
  project_not_initialized: ({ directory }) => `Project not initialized\nRun 'trc init' in ${directory} first`,
  work_item_not_found: ({ id }, where) =>
    `${(where.command === "reparent" || where.command === "create") && id !== where.id ? "Parent issue" : "Issue"} ${id} not found`,
  dependency_cycle: ({ path }, { command }) =>
    `Cannot ${command === "reparent" ? "reparent" : "add dependency"}: would create a cycle\n  ${path.join(" → ")}`,
  open_children: ({ id, children }) =>
    `Cannot close ${id} with open children:${children
      .map((child) => `\n  - ${child.id}: ${child.title} [${child.status}]`)
      .join("")}`,
  invalid_input: ({ issues }) => issues.map(({ message }) => message).join("; "),
};

/** A fault in the original's words where it has some. */
export function faultWords<C extends FaultCode>(fault: Fault<C>, where: Where): string {
  const say = sayings[fault.code] as ((data: FaultData[C], where: Where) => string) | undefined;
  return say?.(fault.data, where) ?? fault.message;
}

/** Why an item could not be closed, in the original's words. */
export function refusalWords(id: string, fault: Fault): string {
  if (isFault(fault, "project_not_initialized")) return `Project not initialized for ${id}: ${fault.data.directory}`;
  return faultWords(fault, { command: "close", id });
}
