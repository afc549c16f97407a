import type { LoopView, Step } from "@ralpher/contract";
import { performClose } from "./close.ts";
import { performCommit } from "./commit.ts";
import type { Execution, Performer } from "./execution.ts";
import { performFinish } from "./finish.ts";
import { performBootstrap } from "./soda/bootstrap.ts";
import { performBranch } from "./soda/branch.ts";
import { performExecute } from "./soda/execute.ts";
import { performMerge } from "./soda/merge.ts";
import { performMilestone } from "./soda/milestone.ts";
import { performOrient } from "./soda/orient.ts";
import { performPlan } from "./soda/plan.ts";
import { performSense } from "./soda/sense.ts";
import { performSetAside } from "./soda/set-aside.ts";
import { performSettle } from "./soda/settle.ts";
import { performTest } from "./soda/test.ts";
import { performCloseStep } from "./task/close-step.ts";
import { performLook } from "./task/look.ts";
import { performOpenTask } from "./task/open-task.ts";
import { performTick } from "./task/tick.ts";
import { performVerify } from "./task/verify.ts";
import { performWork } from "./task/work.ts";
import { performTurn } from "./turn.ts";
import { performWait } from "./wait.ts";
import { performWorkspace } from "./workspace.ts";

const performers: { [D in Step["do"]]: Performer<D> } = {
  bootstrap: performBootstrap,
  workspace: performWorkspace,
  milestone: performMilestone,
  sense: performSense,
  orient: performOrient,
  plan: performPlan,
  decide: ({ record }, { iteration, decision }) => record([{ type: "loop.decided", iteration, decision }]),
  branch: performBranch,
  test: performTest,
  execute: performExecute,
  "set-aside": performSetAside,
  settle: performSettle,
  merge: performMerge,
  "open-task": performOpenTask,
  look: performLook,
  work: performWork,
  verify: performVerify,
  tick: performTick,
  "close-step": performCloseStep,
  turn: performTurn,
  commit: performCommit,
  close: performClose,
  wait: performWait,
  pause: ({ record }) => record([{ type: "loop.paused" }]),
  finish: performFinish,
};

/** Do the step, whichever it is. Resolves when it is done and recorded. */
export async function perform(execution: Execution, step: Step, view: LoopView): Promise<void> {
  const performer = performers[step.do] as Performer<Step["do"]>;
  await performer(execution, step, view);
}
