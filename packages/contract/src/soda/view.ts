import type { Regression, TaskOutcome, TaskReport, TestResult } from "./act.ts";
import type { Decision, Gap } from "./orientation.ts";
import type { SodaProject, Spec } from "./settings.ts";

/** A task of the plan, on its way through ACT. */
export interface SodaTask {
  id: string;
  title: string;
  /** An executor began to work on it. */
  begun: boolean;
  /** How often an executor was through with it: the first time, and to mend what got worse. */
  rounds: number;
  report: TaskReport | null;
  /** The round after which the tests were run last; 0 before. */
  testedRound: number;
  test: TestResult | null;
  regression: Regression | null;
  /** Where its changes are: in a commit of the branch, or under the ref of what was set aside. */
  saved: "branch" | { ref: string } | null;
  outcome: TaskOutcome | null;
}

/** How far the iteration under way has come. */
export interface SodaProgress {
  sensedAt: string;
  /** Human words among the claims. */
  said: number[];
  orientation: {
    summary: string;
    satisfied: boolean | "unverifiable";
    /** Criteria that are satisfied, and all. */
    counts: [number, number];
    /** Those that are not, cut to a line each. */
    unsatisfied: string[];
    gaps: Pick<Gap, "severity" | "description">[];
  } | null;
  plan: { intent: string; approach: string } | null;
  /** Is there work that can be done? Null before the plan was checked. */
  actionable: boolean | null;
  decision: Decision | null;
  /** `head`: where it was when last saved. */
  branch: { name: string; head: string } | null;
  baseline: TestResult | null;
  tasks: SodaTask[];
  merged: { head: string } | { conflict: string[] } | null;
}

/** A finished iteration, as later ones need to know it. */
export interface SodaLine {
  iteration: number;
  intent: string | null;
  decision: Decision["outcome"] | null;
  /** Why a human is needed. */
  reason: string | null;
  completed: number;
  blocked: number;
  counts: [number, number] | null;
  unsatisfied: string[];
  /** Tests that an iteration's work made fail. */
  regressed: string[];
  /** What the last executor and ORIENT said, cut. */
  executor: string | null;
  verifier: string | null;
}

/** What a loop of the strategy `soda` knows besides what all loops know. Bounded in size by the number of its open tasks. */
export interface SodaView {
  project: SodaProject | null;
  spec: Omit<Spec, "text"> | null;
  root: { id: string; title: string } | null;
  open: SodaProgress | null;
  /** Newest last, at most `sodaHistoryLimit`. */
  history: SodaLine[];
  /** What was last seen of the work items: what differs and is not among `own` is somebody else's. */
  mark: WorkItemMark | null;
  /** Why it was last started again by itself. */
  woken: string | null;
  summary: string | null;
}

export interface WorkItemMark {
  /** The latest time of any change or comment. */
  cursor: string;
  /** See the event `loop.sensed`; absent in views that older versions stored. */
  links?: Record<string, string> | null | undefined;
  own: OwnChange[];
}

/** A change, or a comment, that no human made: the item, its time afterwards, and its links when those are what changed. */
export interface OwnChange {
  id: string;
  at: string;
  /** Null: the item is gone. */
  links?: string | null | undefined;
}

export const sodaHistoryLimit = 20;

export const blankSoda: SodaView = {
  project: null,
  spec: null,
  root: null,
  open: null,
  history: [],
  mark: null,
  woken: null,
  summary: null,
};

export const blankTask: Omit<SodaTask, "id" | "title"> = {
  begun: false,
  rounds: 0,
  report: null,
  testedRound: 0,
  test: null,
  regression: null,
  saved: null,
  outcome: null,
};
