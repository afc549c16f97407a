import type {
  GitCommit,
  IterationOutcome,
  MessageKind,
  StoredEvent,
  ToolCall,
  Usage,
  VaultSight,
} from "@ralpher/contract";
import { addUsage, unknownUsage } from "@ralpher/contract";
import { type Milestone, milestoneOf } from "../words/milestone.ts";
import { isQuietRead } from "../words/tool.ts";

interface Line {
  /** Stays the same while the entry does, also when older ones come in before it. */
  key: string;
  /** Place in the journal of the first event it shows: what a link to this line names. */
  seq: number;
  /** The iteration it belongs to; 0 before the first. */
  iteration: number;
  /** Epoch milliseconds. */
  at: number;
}

/** One entry of the log, as a reader sees it. */
export type LogEntry = Line &
  (
    | { kind: "iteration" }
    | { kind: "text"; text: string }
    | { kind: "reasoning"; text: string }
    | { kind: "tool"; tool: ToolCall }
    /** Several reads in a row. */
    | { kind: "reads"; tools: ToolCall[] }
    | { kind: "notice"; text: string }
    /** What the agent was given to read. */
    | { kind: "prompt"; text: string }
    /** What a human said. */
    | { kind: "said"; text: string; now: boolean; takenBack: boolean }
    | { kind: "commit"; commit: GitCommit }
    /** A step of a SODA iteration. */
    | { kind: "soda"; event: SodaEvent }
    /** What happened with a task and its vault; `before`: as the vault was found before, where that is loaded. */
    | { kind: "task"; event: TaskEvent; before: VaultSight | null }
    | ({ kind: "milestone" } & Milestone)
  );

/** The events of a SODA loop that are lines of the log; the others of it are told by these. */
const sodaLines = [
  "loop.bootstrapped",
  "loop.spec",
  "loop.sensed",
  "loop.oriented",
  "loop.planned",
  "loop.decided",
  "loop.tested",
  "loop.task.reported",
  "loop.set_aside",
  "loop.task.end",
  "loop.branch.merged",
  "loop.woken",
  "loop.summarised",
  "loop.prompt",
] as const;
export type SodaEvent = Extract<StoredEvent, { type: (typeof sodaLines)[number] }>;

/** The same of a task loop. What was found as it was before is no line. */
const taskLines = [
  "loop.task.opened",
  "loop.vault.looked",
  "loop.step.begun",
  "loop.step.reported",
  "loop.step.verified",
  "loop.step.ticked",
  "loop.handed_off",
  "loop.chosen",
  "loop.task.filed",
] as const;
export type TaskEvent = Extract<StoredEvent, { type: (typeof taskLines)[number] }>;

const isTaskLine = (event: StoredEvent): event is TaskEvent => (taskLines as readonly string[]).includes(event.type);

const isSodaLine = (event: StoredEvent): event is SodaEvent => (sodaLines as readonly string[]).includes(event.type);

/** What the loaded part of the log tells about one iteration; times in epoch milliseconds, null when not loaded. */
export interface IterationSpan {
  startedAt: number | null;
  endedAt: number | null;
  outcome: IterationOutcome | null;
  commits: number;
  tools: number;
  usage: Usage;
}

/** The loaded stretch of a loop's log. Replaced, never changed. */
export interface Log {
  /** What it was made of, oldest first, without gap or repeat. */
  events: StoredEvent[];
  entries: LogEntry[];
  /** The entries' keys. The one thing here that grows in place: logs made of each other share it. */
  keys: Set<string>;
  iterations: ReadonlyMap<number, IterationSpan>;
}

export const emptyLog: Log = { events: [], entries: [], keys: new Set(), iterations: new Map() };

const blankSpan: IterationSpan = {
  startedAt: null,
  endedAt: null,
  outcome: null,
  commits: 0,
  tools: 0,
  usage: unknownUsage,
};

/** Add newer events at the end. Those at or before the last one are there already and change nothing. */
export function appendToLog(log: Log, newer: StoredEvent[]): Log {
  const last = log.events.at(-1)?.seq ?? 0;
  const fresh = newer.filter((event) => event.seq > last);
  if (fresh.length === 0) return log;
  const entries = [...log.entries];
  const keys = log === emptyLog ? new Set<string>() : log.keys;
  const iterations = new Map(log.iterations);
  for (const event of fresh) {
    const before = entries.length;
    addEntry(entries, event, () => lastLook(log.events, fresh, event.seq));
    for (const entry of entries.slice(before)) {
      // An agent may use the same id in a second attempt at an iteration.
      if (keys.has(entry.key)) entry.key += `:${event.seq}`;
      keys.add(entry.key);
    }
    addToSpan(iterations, event);
  }
  return { events: [...log.events, ...fresh], entries, keys, iterations };
}

/** Forget the oldest events, all but the newest `most`. */
export function trimLog(log: Log, most: number): Log {
  return log.events.length <= most ? log : appendToLog(emptyLog, log.events.slice(-most));
}

/** The entry that shows the event at `seq`, or the one before where it shows nothing by itself; -1 when none is loaded. */
export function indexAtSeq(log: Log, seq: number): number {
  let low = 0;
  let high = log.entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log.entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Put older events in front. Made anew from all events, because reads may join across the seam. */
export function prependToLog(log: Log, older: StoredEvent[]): Log {
  const first = log.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const fresh = older.filter((event) => event.seq < first);
  return fresh.length === 0 ? log : appendToLog(emptyLog, [...fresh, ...log.events]);
}

function addEntry(entries: LogEntry[], event: StoredEvent, lookBefore: () => VaultSight | null): void {
  const current = entries.at(-1)?.iteration ?? 0;
  const own = "iteration" in event ? event.iteration : 0;
  const iteration = Math.max(own, current);
  const at = Date.parse(event.at);
  const line = { iteration, at, seq: event.seq };
  if (iteration > current) entries.push({ kind: "iteration", key: `iteration:${iteration}`, ...line });

  switch (event.type) {
    case "loop.message": {
      const { id, kind, content } = event.message;
      if (content.trim() !== "") entries.push({ kind, key: messageKey(own, kind, id), ...line, text: content });
      return;
    }
    case "loop.tool_call":
      addTool(entries, event.tool, line);
      return;
    case "loop.notice":
      entries.push({ kind: "notice", key: `event:${event.seq}`, ...line, text: event.text });
      return;
    case "loop.git.commit":
      entries.push({ kind: "commit", key: `event:${event.seq}`, ...line, commit: event.commit });
      return;
    case "loop.said":
      entries.push({
        kind: "said",
        key: `event:${event.seq}`,
        ...line,
        text: event.text,
        now: event.now,
        takenBack: false,
      });
      return;
    case "loop.unsaid":
      takeBack(entries, event.said);
      return;
    case "loop.turn.start":
      addMilestone(entries, event, line);
      entries.push({ kind: "prompt", key: `event:${event.seq}/prompt`, ...line, text: event.prompt });
      return;
    default:
      if (isSodaLine(event)) entries.push({ kind: "soda", key: `event:${event.seq}`, ...line, event });
      else if (isTaskLine(event)) addTaskLine(entries, event, line, lookBefore);
      else addMilestone(entries, event, line);
  }
}

type Place = Omit<Line, "key">;

function addMilestone(entries: LogEntry[], event: StoredEvent, line: Place): void {
  const before = entries.at(-1);
  // A task was filed: nobody has to review it.
  const isFiled = event.type === "loop.completed" && before?.kind === "task";
  const milestone: Milestone | null = isFiled ? { text: "Done", meaning: "good" } : milestoneOf(event);
  if (milestone !== null) entries.push({ kind: "milestone", key: `event:${event.seq}`, ...line, ...milestone });
}

function addTaskLine(entries: LogEntry[], event: TaskEvent, line: Place, lookBefore: () => VaultSight | null): void {
  const before = event.type === "loop.vault.looked" ? lookBefore() : null;
  if (event.type === "loop.vault.looked" && event.injection === undefined && !isNews(event.look, before)) return;
  entries.push({ kind: "task", key: `event:${event.seq}`, ...line, event, before });
}

/** Was more found than steps that were ticked, which has lines of its own? */
function isNews(look: VaultSight | null, before: VaultSight | null): boolean {
  if (look === null) return false;
  if (before === null) return look.stopHook !== null || look.problems.length > 0;
  const newsOf = ({ place, stopHook, problems, config, counts }: VaultSight) =>
    JSON.stringify([place, stopHook, problems, config, counts.all]);
  return newsOf(look) !== newsOf(before);
}

/** As the vault was found before the event at `seq`. */
function lastLook(older: StoredEvent[], newer: StoredEvent[], seq: number): VaultSight | null {
  for (const events of [newer, older]) {
    for (let at = events.length - 1; at >= 0; at--) {
      const event = events[at];
      if (event?.type === "loop.vault.looked" && event.seq < seq && event.look !== null) return event.look;
    }
  }
  return null;
}

function takeBack(entries: LogEntry[], seq: number): void {
  const index = entries.findLastIndex((entry) => entry.kind === "said" && entry.seq === seq);
  const entry = entries[index];
  if (entry?.kind === "said") entries[index] = { ...entry, takenBack: true };
}

function addTool(entries: LogEntry[], tool: ToolCall, line: Place): void {
  const last = entries.at(-1);
  if (isQuietRead(tool) && last?.iteration === line.iteration) {
    const before =
      last.kind === "reads" ? last.tools : last.kind === "tool" && isQuietRead(last.tool) ? [last.tool] : null;
    if (before !== null) {
      entries[entries.length - 1] = { kind: "reads", key: last.key, ...line, seq: last.seq, tools: [...before, tool] };
      return;
    }
  }
  entries.push({ kind: "tool", key: toolKey(line.iteration, tool.id), ...line, tool });
}

function addToSpan(iterations: Map<number, IterationSpan>, event: StoredEvent): void {
  if (!("iteration" in event) || event.iteration === 0) return;
  const span = { ...(iterations.get(event.iteration) ?? blankSpan) };
  const at = Date.parse(event.at);
  if (event.type === "loop.iteration.start") span.startedAt = at;
  else if (event.type === "loop.tool_call") span.tools += 1;
  else if (event.type === "loop.git.commit") span.commits += 1;
  else if (event.type === "loop.turn.end") span.usage = addUsage(span.usage, event.usage);
  else if (event.type === "loop.interrupted") span.usage = addUsage(span.usage, event.usage ?? unknownUsage);
  else if (event.type === "loop.iteration.end") {
    span.endedAt = at;
    span.outcome = event.outcome;
  } else return;
  iterations.set(event.iteration, span);
}

/** The key of a message's entry. The live, unfinished one has the same, so that its row stays when it is finished. */
export function messageKey(iteration: number, kind: MessageKind, id: string): string {
  return `${kind}:${iteration}:${id}`;
}

/** The key of a tool call's entry, live and finished. */
export function toolKey(iteration: number, id: string): string {
  return `tool:${iteration}:${id}`;
}
