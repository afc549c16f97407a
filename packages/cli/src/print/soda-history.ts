import type { Decision, IterationOutcome, LoopSummary, TaskOutcome, Usage } from "@ralpher/contract";
import { accent, attention, bad, bold, dim, good } from "./style.ts";
import { cut, duration, plural, status, usage } from "./words.ts";
import { listed, screenWidth, wrapped } from "./wrapped.ts";

/** An iteration in a few words: `soda history --json`. */
export interface PastIteration {
  iteration: number;
  intent: string | null;
  decision: Decision["outcome"] | null;
  /** Why it was stuck or failed. */
  reason: string | null;
  /** Null while it is under way. */
  outcome: IterationOutcome | null;
  /** Satisfied, and all; null when it was not judged. */
  criteria: [number, number] | null;
  tasks: { id: string; title: string; outcome: TaskOutcome | null; reason: string | null }[];
  commits: number;
  /** Files that kept its work from being merged. */
  conflict: string[] | null;
  startedAt: string;
  durationMs: number | null;
  usage: Usage;
}

const marks = { completed: good("✓"), partial: attention("◐"), blocked: attention("⊘") };
const decisionPaint = { DONE: good, STUCK: attention, CONTINUE: accent };

export function historyLines({ config, state }: LoopSummary, iterations: PastIteration[]): string[] {
  return [
    `${config.id.slice(0, 8)}  ${status(state.status)}  ${bold(cut(config.name, Math.max(20, screenWidth() - 32)))}`,
    ...listed(
      [
        new Date(config.createdAt).toLocaleString(),
        plural(state.currentIteration, "iteration"),
        `tokens ${usage(state.usage)}`,
      ],
      { first: "  " },
    ).map(dim),
    ...iterations.flatMap(iterationLines),
    "",
  ];
}

/** What was decided; of one that ended before its end, how it ended. */
function wayOf({ decision, outcome }: PastIteration): string {
  if (outcome === "error") return bad("FAILED");
  if (outcome === "interrupted") return attention("STOPPED");
  return decision === null ? dim("under way") : decisionPaint[decision](decision);
}

function iterationLines(past: PastIteration): string[] {
  const number = String(past.iteration).padStart(4);
  const { intent, reason } = past;
  const facts = [
    ...(past.criteria === null ? [] : [`${past.criteria[0]} of ${past.criteria[1]} criteria`]),
    ...(past.commits === 0 ? [] : [plural(past.commits, "commit")]),
    ...(past.durationMs === null ? [] : [duration(past.durationMs)]),
    usage(past.usage),
  ];
  return [
    ...wrapped(intent ?? reason ?? "", { first: `${number}  ${wayOf(past)}  ` }),
    ...(intent === null || reason === null ? [] : wrapped(reason, { first: "      ", paint: attention })),
    ...listed(facts, { first: "      " }).map(dim),
    ...past.tasks.map(
      ({ id, title, outcome }) =>
        `      ${outcome === null ? "○" : marks[outcome]} ${id} ${cut(title, Math.max(20, screenWidth() - id.length - 9))}`,
    ),
    ...(past.conflict === null
      ? []
      : wrapped(`conflict in ${past.conflict.join(", ")}`, { first: "      ! ", paint: attention })),
  ];
}
