import type { LoopView, Step } from "@ralpher/contract";
import { performClose } from "./close.ts";
import { performCommit } from "./commit.ts";
import type { Execution, Performer } from "./execution.ts";
import { performFinish } from "./finish.ts";
import { performTurn } from "./turn.ts";
import { performWait } from "./wait.ts";
import { performWorkspace } from "./workspace.ts";

const performers: { [D in Step["do"]]: Performer<D> } = {
  workspace: performWorkspace,
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
