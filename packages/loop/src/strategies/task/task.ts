import {
  type KnownStep,
  type LoopView,
  type OpenIteration,
  openStep,
  type Step,
  type TaskProgress,
  type TaskView,
} from "@ralpher/contract";
import { oneLine } from "../../one-line.ts";
import type { Strategy } from "../../strategy.ts";
import { findTaskEnding } from "./endings.ts";
import { againMs, findTaskRest } from "./rest.ts";

/** A task file of a vault, one of its steps an iteration, until all of them are done (seed 003). */
export const task: Strategy = {
  id: "task",
  stepwise: true,

  prepare: ({ task }) => (task?.vault ? null : { do: "open-task" }),
  look: ({ task }, now) => (task?.isFresh && !isDue(task, now) ? null : { do: "look" }),
  findEnding: findTaskEnding,
  findRest: findTaskRest,

  begin(view) {
    const look = view.task?.look ?? null;
    const step = look === null ? null : openStep(look);
    if (step === null) throw new Error(`loop ${view.id} has no open step, and has not ended`);
    return work(view, view.iteration + 1, 1, step);
  },

  advance(view, open) {
    const { number: iteration, turn } = open;
    const progress = view.task?.open ?? null;
    if (progress === null) return { do: "close", iteration, outcome: "error" };
    if (turn.state !== "ended") return work(view, iteration, turn.attempt + 1, progress.step);
    const { report, step } = progress;
    if (turn.failure !== null || report === null) return { do: "close-step", iteration, outcome: "error" };
    if (report.result === "partial") return { do: "close-step", iteration, outcome: "partial" };
    if (report.result === "failure") return { do: "close-step", iteration, outcome: "error" };
    if (step.verify !== null && progress.check === null) return { do: "verify", iteration, command: step.verify };
    if (progress.check?.passed === false) return { do: "close-step", iteration, outcome: "error" };
    return settle(view, open, progress);
  },

  putAway(view, open, outcome) {
    const progress = view.task?.open ?? null;
    if (progress?.ticked) return settle(view, open, progress);
    return { do: "close-step", iteration: open.number, outcome };
  },
};

/** A file that could not be read is looked at again. */
function isDue({ look, lookedAt }: TaskView, now: Date): boolean {
  return look?.unreadable != null && now.getTime() >= Date.parse(lookedAt ?? "") + againMs;
}

/** The step is done: say so in the file, and keep what was made for it. */
function settle(view: LoopView, open: OpenIteration, { step, ticked, report }: TaskProgress): Step {
  const { number: iteration, saved } = open;
  if (ticked === null) return { do: "tick", iteration, key: step.key };
  // What could not be ticked is not done: it is looked at anew.
  if (ticked === "missing") return { do: "close-step", iteration, outcome: "partial" };
  if (!saved && view.task?.look?.config.commit_steps) {
    return { do: "commit", iteration, message: commitMessage(view, step, report?.summary ?? "") };
  }
  return { do: "close-step", iteration, outcome: "continue" };
}

function work({ said }: LoopView, iteration: number, attempt: number, step: KnownStep): Step {
  return { do: "work", iteration, attempt, step, said: said.map(({ seq }) => seq) };
}

const longestSubject = 100;

/** `[Task] auth_feature: 1.2 Implement authentication logic`, then what was said of it. */
function commitMessage({ config, task }: LoopView, step: KnownStep, summary: string): string {
  const subject = `${config.git.commitPrefix} ${task?.taskId ?? config.name}: ${oneLine(step.key)}`;
  const short = subject.length <= longestSubject ? subject : `${subject.slice(0, longestSubject - 1).trimEnd()}…`;
  return summary.trim() === "" ? short : `${short}\n\n${summary.trim()}`;
}
