import type { Injection, KnownStep, StepCheck, StepReport, VaultLook, VaultSight } from "./event.ts";
import type { StepResult } from "./state.ts";
import type { HandOffChoice, HandOffKind, TaskPlace } from "./vault.ts";

/** How far the iteration under way has come. */
export interface TaskProgress {
  step: KnownStep;
  report: StepReport | null;
  check: StepCheck | null;
  ticked: "ticked" | "done" | "missing" | null;
}

/** What a human was asked by a file in the vault. */
export interface OpenHandOff {
  kind: HandOffKind;
  path: string;
  choices: HandOffChoice[];
  at: string;
  /** What became of it; null while it waits. */
  answer: HandOffChoice | "by hand" | null;
  /** The file says what came of it. */
  closed: boolean;
}

/** What a loop of the strategy `task` knows besides what all loops know. Bounded in size. */
export interface TaskView {
  /** `loop_20260215_103000`; null before the task was taken up. */
  runId: string | null;
  taskId: string | null;
  stateSuffix: string | null;
  /** The vault's root: absolute path, symlinks resolved. */
  vault: string | null;
  namesakes: { path: string; sha: string }[];
  /** For how long it has been at work since it was started last, in milliseconds: while somebody ran it. */
  ranMs: number;
  look: VaultLook | null;
  lookedAt: string | null;
  /** The vault was looked at since the last start, iteration, or pause. */
  isFresh: boolean;
  open: TaskProgress | null;
  /** Of all iterations. */
  successes: number;
  failures: number;
  last: { iteration: number; step: string; action: string; result: StepResult; next: string | null } | null;
  lastSuccess: { iteration: number; task: string; timestamp: string } | null;
  /** Why a step is not done yet, for the next prompt about it. */
  feedback: { key: string; text: string } | null;
  /** What the newest check that did not pass printed. */
  output: string | null;
  /** The newest iterations in a line each, and the newest errors; newest last. */
  tried: string[];
  errors: string[];
  /** `told`: a turn that ended well had it. `removed`: its file is out of the way. */
  injection: (Injection & { iteration: number; at: string; told: boolean; removed: boolean }) | null;
  handOff: OpenHandOff | null;
  /** The key of a step that a human chose to tick as it is. */
  skip: string | null;
  /** What a human decided about the whole task. */
  verdict: "complete" | "reject" | null;
  /** Where its file was put when it was done or called off. */
  filed: { path: string; place: TaskPlace } | null;
  /** The completion report's path in the vault. */
  report: string | null;
}

/** The step to work on: the first that is open and has none below it. */
export function openStep(look: VaultLook): KnownStep | null {
  return look.steps.find(({ done, isParent }) => !done && !isParent) ?? null;
}

/** A look as the event tells it when nothing of it was known before. */
export function wholeLook({ steps, ...look }: VaultLook): { look: VaultSight; steps: KnownStep[]; toggled: string[] } {
  return { look, steps, toggled: [] };
}

export const blankTaskView: TaskView = {
  runId: null,
  taskId: null,
  stateSuffix: null,
  vault: null,
  namesakes: [],
  ranMs: 0,
  look: null,
  lookedAt: null,
  isFresh: false,
  open: null,
  successes: 0,
  failures: 0,
  last: null,
  lastSuccess: null,
  feedback: null,
  output: null,
  tried: [],
  errors: [],
  injection: null,
  handOff: null,
  skip: null,
  verdict: null,
  filed: null,
  report: null,
};
