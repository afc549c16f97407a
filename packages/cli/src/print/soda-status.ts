import type { CriterionVerdict, LoopView, SodaPhase, WorkState } from "@ralpher/contract";
import { workedMs } from "@ralpher/contract";
import { countWords, criteriaLines } from "./soda-criteria.ts";
import { attention, bad, bold, dim } from "./style.ts";
import { cut, duration, plural, printable, status, usage } from "./words.ts";
import { listed, screenWidth, wrapped } from "./wrapped.ts";

/** How a run stands: `soda status --json`, besides the run itself. */
export interface RunStatus {
  spec: { path: string; title: string } | null;
  /** Null when it rests. */
  phase: SodaPhase | null;
  /** As they were judged last. */
  criteria: { iteration: number; satisfied: number; all: number; list: CriterionVerdict[] } | null;
  /** As they are now; null before there are any. */
  tasks: (Pick<WorkState, "open" | "blocked"> & { root: NonNullable<WorkState["root"]>; closed: number }) | null;
  waitsFor: string | null;
  /** It is under way, and nobody runs it. */
  interrupted: boolean;
  summary: string | null;
  next: { what: string; command: string }[];
}

const label = (word: string) => dim(word.padEnd(11));
const mostTasks = 15;

export function statusLines(view: LoopView, run: RunStatus): string[] {
  const { config, workspace, iteration, phase } = view;
  const of = config.maxIterations === undefined ? "" : ` of at most ${config.maxIterations}`;
  const idle = phase.status === "starting" ? "‖ about to begin" : "‖ interrupted";
  const state = run.interrupted ? attention(idle) : status(phase.status);
  const branch =
    workspace !== null && workspace.kind !== "plain"
      ? [`${label("Branch")}${printable(workspace.workingBranch)} → ${printable(workspace.originalBranch)}`]
      : [];
  return [
    ...wrapped(config.name, { paint: bold }),
    ...listed([
      config.id.slice(0, 8),
      state,
      `iteration ${iteration}${of}`,
      ...(run.phase === null ? [] : [bold(run.phase.toUpperCase())]),
    ]),
    ...(run.spec === null ? [] : [`${label("Spec")}${printable(run.spec.path)}`]),
    ...branch,
    ...criteriaPart(run.criteria),
    ...tasksPart(run.tasks),
    ...listed(
      [
        plural(view.commitCount, "commit"),
        `${duration(workedMs(view, Date.now()))} of work`,
        `tokens ${usage(view.usage)}`,
      ],
      { first: label("Work") },
    ),
    ...(run.summary === null ? [] : [`${label("Summary")}${printable(run.summary)}`]),
    ...whyPart(view),
    ...(run.waitsFor === null ? [] : wrapped(run.waitsFor, { first: label("Waits for"), paint: attention })),
    "",
    ...run.next.map(({ what, command }) => `${`${what}:`.padEnd(14)} ${printable(command)}`),
  ];
}

/** Why it ended, where that is not what it waits for. */
function whyPart({ phase }: LoopView): string[] {
  if (phase.status !== "failed" && phase.status !== "stopped") return [];
  return wrapped(cut(phase.reason, 400), { first: label("Ended"), paint: phase.status === "failed" ? bad : dim });
}

function criteriaPart(criteria: RunStatus["criteria"]): string[] {
  if (criteria === null) return [`${label("Criteria")}not judged yet`];
  const { iteration, satisfied, all, list } = criteria;
  return [
    `${label("Criteria")}${countWords(satisfied, all)}, as judged in iteration ${iteration}`,
    ...criteriaLines(list),
  ];
}

function tasksPart(tasks: RunStatus["tasks"]): string[] {
  if (tasks === null) return [];
  const { open, blocked, closed, root } = tasks;
  const why = new Map(blocked.map(({ id, reason }) => [id, reason]));
  const more = open.length > mostTasks ? [dim(`  and ${open.length - mostTasks} more: trc tree ${root.id}`)] : [];
  return [
    `${label("Tasks")}${open.length} open (${blocked.length} blocked), ${closed} closed, below ${root.id}`,
    ...open.slice(0, mostTasks).flatMap(({ id, title, status: at }) => {
      const reason = why.get(id);
      const mark = reason !== undefined ? attention("⊘") : at === "in_progress" ? "◐" : "○";
      return [
        `  ${mark} ${id} ${cut(title, Math.max(20, screenWidth() - id.length - 5))}`,
        ...(reason === undefined ? [] : wrapped(cut(reason, 240), { first: "    ", paint: attention })),
      ];
    }),
    ...more,
  ];
}
