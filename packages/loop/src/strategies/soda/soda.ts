import type { LoopView, OpenIteration, SodaProgress, SodaTask, Step } from "@ralpher/contract";
import { restUntil } from "../../failure-policy.ts";
import { oneLine } from "../../one-line.ts";
import { findEnding } from "../../stop-conditions.ts";
import type { Strategy } from "../../strategy.ts";
import { decide } from "./decide.ts";

/** How often executors may try to mend what a task made fail, the first one included. */
const mostRounds = 3;

/** SENSE, ORIENT, DECIDE, ACT (seeds 000 and 001): claims are verified before anything is built on them. */
export const soda: Strategy = {
  id: "soda",
  stepwise: true,

  prepare: ({ soda }) => (soda?.project ? null : { do: "bootstrap" }),

  look: () => null,
  findEnding,
  findRest: restUntil,

  begin: (view) => (view.soda?.root ? { do: "sense", iteration: view.iteration + 1 } : { do: "milestone" }),

  advance(view, open) {
    const { number: iteration, turn } = open;
    const progress = view.soda?.open;
    if (progress === null || progress === undefined) return { do: "close", iteration, outcome: "error" };
    if (turn.state === "ended" && turn.failure !== null) return soda.putAway(view, open, "error");
    if (progress.orientation === null) {
      return { do: "orient", iteration, attempt: attemptOf(open), said: progress.said };
    }
    if (progress.actionable === null) return { do: "plan", iteration };
    if (progress.decision === null) return { do: "decide", iteration, decision: decisionOn(progress) };
    if (progress.decision.outcome === "DONE") return { do: "close", iteration, outcome: "complete" };
    if (progress.decision.outcome === "STUCK") return { do: "close", iteration, outcome: "stuck" };
    return act(view, open, progress);
  },

  putAway(view, open, outcome) {
    const { number: iteration } = open;
    const progress = view.soda?.open;
    if (!progress?.branch || progress.merged !== null) return { do: "close", iteration, outcome };
    // What no test has seen, or what tests failed with, does not get into the milestone; it is kept, and told of.
    const task = progress.tasks.find((one) => one.begun && one.outcome === null);
    if (task === undefined) return { do: "merge", iteration };
    if (task.saved === null) return { do: "set-aside", iteration, taskId: task.id };
    const reason = outcome === "error" ? "Its agent failed" : "The run was stopped";
    return { do: "settle", iteration, taskId: task.id, outcome: "partial", reason: `${reason} before it was through.` };
  },
};

function act(view: LoopView, open: OpenIteration, progress: SodaProgress): Step {
  const { number: iteration } = open;
  if (progress.branch === null) return { do: "branch", iteration };
  if (progress.baseline === null) return { do: "test", iteration, taskId: null };
  const task = progress.tasks.find(({ outcome }) => outcome === null);
  if (task !== undefined) return work(view, open, task);
  if (progress.merged === null) return { do: "merge", iteration };
  return { do: "close", iteration, outcome: "continue" };
}

/** One task: an executor, the tests, executors that mend what got worse, then its changes and its item. */
function work(view: LoopView, open: OpenIteration, task: SodaTask): Step {
  const { number: iteration } = open;
  const { id: taskId, report } = task;
  if (report === null) return execute(view, open, task);
  if (task.testedRound < task.rounds) return { do: "test", iteration, taskId };
  const worse = isWorse(task);
  if (worse && report.outcome !== "blocked" && task.rounds < mostRounds) return execute(view, open, task);
  if (task.saved === null) {
    if (worse) return { do: "set-aside", iteration, taskId };
    return { do: "commit", iteration, taskId, message: commitMessage(view, task) };
  }
  if (worse) return { do: "settle", iteration, taskId, outcome: "blocked", reason: worseWords(task) };
  const reason = report.outcome === "blocked" ? (report.blocked_reason ?? report.summary) : null;
  return { do: "settle", iteration, taskId, outcome: report.outcome, reason };
}

function execute({ said }: LoopView, open: OpenIteration, { id: taskId, rounds }: SodaTask): Step {
  const heard = said.filter(({ told }) => !told).map(({ seq }) => seq);
  return { do: "execute", iteration: open.number, attempt: attemptOf(open), taskId, round: rounds + 1, said: heard };
}

/** A second attempt follows only an interrupted one. */
function attemptOf({ turn }: OpenIteration): number {
  return turn.state === "interrupted" ? turn.attempt + 1 : 1;
}

function decisionOn({ orientation, actionable }: SodaProgress) {
  if (orientation === null) throw new Error("nothing was judged yet");
  const { satisfied, gaps, summary } = orientation;
  return decide({ spec_satisfied: satisfied, actionable_work_exists: actionable === true, gaps, summary });
}

function isWorse({ regression }: SodaTask): boolean {
  return regression !== null && (regression.tests.length > 0 || regression.note !== null);
}

const mostNames = 5;

function worseWords({ regression, rounds }: SodaTask): string {
  const names = regression?.tests ?? [];
  const shown = names.slice(0, mostNames).join(", ");
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  const what =
    names.length === 0
      ? (regression?.note ?? "tests got worse").replace(/\.$/, "")
      : `tests fail that did not before: ${shown}${more}`;
  return `After ${rounds === 1 ? "one try" : `${rounds} tries`} ${what}. The changes were set aside.`;
}

const longestSubject = 100;

/** `[SODA] app-s77uc7: what the task is called`, then what was said of it; and whether that is all of it. */
function commitMessage({ config }: LoopView, { id, title, report }: SodaTask): string {
  const part = report?.outcome === "completed" ? "" : ` (in part${report?.outcome === "blocked" ? ", blocked" : ""})`;
  const subject = `${config.git.commitPrefix} ${id}${part}: ${oneLine(title)}`;
  const short = subject.length <= longestSubject ? subject : `${subject.slice(0, longestSubject - 1).trimEnd()}…`;
  return report === null ? short : `${short}\n\n${report.summary.trim()}`;
}
