import type { AgentEvent, ToolCall } from "@ralpher/contract";
import { outputOf } from "../../programs/claude-code/tool-results.ts";
import type { WantedCall } from "../../tools/judge.ts";
import type { ToolReport } from "./messages.ts";
import { readWantedCall } from "./wanted-call.ts";

/** One tool call, put together from its reports. */
interface Call {
  readonly id: string;
  name: string;
  kind: string | undefined;
  input: unknown;
  output: unknown;
  content: readonly unknown[];
  /** Claude Code's own record of the call, which has more of a large output than the model is given. */
  record: unknown;
  locations: readonly string[];
  startedAt: number | null;
  isOver: boolean;
  isGranted: boolean;
}

/** The tool calls of a turn. */
export interface ToolCalls {
  /** How many there were so far. */
  readonly count: number;
  /** Has nothing been said of this call yet? */
  isNew(id: string): boolean;
  /** Something was said of a call. Returns the call's end, when this is it: what it wanted, and whether we allowed it. */
  read(report: ToolReport): EndedCall | null;
  /** The agent went on to something else: calls whose arguments are known have begun. */
  begin(): void;
  /** What a call wants that the agent asks about. */
  wanted(report: ToolReport): WantedCall;
  grant(id: string): void;
  /** Resolves when more is said of the call. */
  more(id: string): Promise<void>;
}

export interface EndedCall {
  wanted: WantedCall;
  status: ToolCall["status"];
  isGranted: boolean;
}

export function createToolCalls(emit: (event: AgentEvent) => void): ToolCalls {
  const calls = new Map<string, Call>();
  const waiting = new Map<string, () => void>();

  function start(call: Call): void {
    if (call.startedAt !== null) return;
    call.startedAt = performance.now();
    emit({ type: "tool.start", callId: call.id, name: call.name, input: call.input });
  }

  function end(call: Call, status: ToolCall["status"]): EndedCall {
    start(call);
    call.isOver = true;
    const { id, name, kind, input, locations, isGranted } = call;
    const durationMs = Math.max(0, Math.round(performance.now() - (call.startedAt ?? performance.now())));
    const output = outputOf(textOf(call), call.record);
    emit({ type: "tool.complete", tool: { id, name, input, ...output, status, durationMs } });
    return { wanted: readWantedCall({ name, kind, input, locations }), status, isGranted };
  }

  return {
    get count() {
      return calls.size;
    },
    isNew: (id) => !calls.has(id),
    read(report) {
      const call = calls.get(report.toolCallId) ?? createCall(report);
      calls.set(call.id, call);
      if (call.isOver) return null;
      merge(call, report);
      waiting.get(call.id)?.();
      if (report.status === "completed") return end(call, "completed");
      if (report.status === "failed") return end(call, "error");
      if (report.status === "in_progress") start(call);
      return null;
    },
    begin() {
      // Agents that ask before each call leave it pending until it ends.
      for (const call of calls.values()) if (isKnown(call.input)) start(call);
    },
    wanted(report) {
      const call = calls.get(report.toolCallId);
      const name = call?.name ?? nameOf(report);
      // It may ask about one side of a call only, such as a folder outside: then that is what is judged.
      const kind = report.kind ?? call?.kind;
      const isWhole = kind === call?.kind;
      const input = isWhole ? { ...asFields(call?.input), ...asFields(report.rawInput) } : report.rawInput;
      const locations = [...(isWhole ? (call?.locations ?? []) : []), ...pathsOf(report)];
      return readWantedCall({ name, kind, input, locations });
    },
    grant(id) {
      const call = calls.get(id);
      if (call !== undefined) call.isGranted = true;
    },
    async more(id) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, resolve);
      await promise;
      waiting.delete(id);
    },
  };
}

function createCall(report: ToolReport): Call {
  return {
    id: report.toolCallId,
    name: nameOf(report),
    kind: undefined,
    input: {},
    output: undefined,
    content: [],
    record: undefined,
    locations: [],
    startedAt: null,
    isOver: false,
    isGranted: false,
  };
}

function merge(call: Call, report: ToolReport): void {
  call.kind = report.kind ?? call.kind;
  if (isKnown(report.rawInput)) call.input = report.rawInput;
  if (report.rawOutput !== undefined) call.output = report.rawOutput;
  call.record = report._meta?.claudeCode?.toolResponse ?? call.record;
  call.content = report.content ?? call.content;
  if (report.locations !== undefined) call.locations = pathsOf(report);
}

/** The tool's name: titles are for people, but some agents put the name there as long as they know nothing else. */
function nameOf({ name, title, kind, _meta }: ToolReport): string {
  const title_ = title !== undefined && /^[\w.-]+$/.test(title) ? title : undefined;
  return name ?? _meta?.claudeCode?.toolName ?? title_ ?? kind ?? "tool";
}

const pathsOf = ({ locations = [] }: ToolReport) => locations.map(({ path }) => path);

const asFields = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

const isKnown = (input: unknown) => Object.keys(asFields(input)).length > 0;

/** What the tool said: as the model saw it, or else as people are shown it. */
function textOf({ output, content }: Call): string {
  if (typeof output === "string") return output;
  const { output: inner, error } = asFields(output) as { output?: unknown; error?: unknown };
  if (typeof inner === "string") return inner;
  if (typeof error === "string") return error;
  const texts = content.flatMap((item) => {
    const { text } = asFields((item as { content?: unknown } | null)?.content) as { text?: unknown };
    return typeof text === "string" ? [text] : [];
  });
  return texts.join("\n");
}
