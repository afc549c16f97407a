import type { DurableEvent, StoredEvent } from "@ralpher/contract";

type EventType = DurableEvent["type"];

/** What of the log to show. */
export type LogKind = "all" | "agent" | "tools" | "commits" | "humans" | "trouble";

/** The kinds in words, in the order they are offered. */
export const logKinds: { kind: LogKind; label: string }[] = [
  { kind: "all", label: "Everything" },
  { kind: "agent", label: "What the agent said" },
  { kind: "tools", label: "Tool calls" },
  { kind: "commits", label: "Commits" },
  { kind: "humans", label: "What people did" },
  { kind: "trouble", label: "Trouble" },
];

const typesOf: Record<Exclude<LogKind, "all">, ReadonlySet<EventType>> = {
  agent: new Set(["loop.message"]),
  tools: new Set(["loop.tool_call"]),
  commits: new Set(["loop.git.commit", "loop.branch.updated", "loop.accepted", "loop.pushed", "loop.pull_request"]),
  humans: new Set([
    "loop.created",
    "loop.updated",
    "loop.starting",
    "loop.said",
    "loop.unsaid",
    "loop.target.changed",
    "loop.woken",
    "loop.handed_off",
    "loop.chosen",
    "loop.pause.requested",
    "loop.resumed",
    "loop.stop.requested",
    "loop.accepted",
    "loop.discarded",
    "loop.restored",
    "loop.branch.updated",
    "loop.pushed",
    "loop.pull_request",
    "loop.imported",
  ]),
  trouble: new Set([
    "loop.error",
    "loop.notice",
    "loop.interrupted",
    "loop.waiting",
    "loop.handed_off",
    "loop.failed",
    "loop.stuck",
  ]),
};

/** The event types to ask the server for; null for all of them. */
export function typesOfKind(kind: LogKind): EventType[] | null {
  return kind === "all" ? null : [...typesOf[kind]];
}

/** Does an event belong to what is shown? */
export function isOfKind(event: StoredEvent, kind: LogKind): boolean {
  return kind === "all" || typesOf[kind].has(event.type);
}
