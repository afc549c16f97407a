import { StepReport } from "@ralpher/contract";
import { reportPrompt, stepPrompt } from "../../strategies/task/prompt.ts";
import { converse } from "../converse.ts";
import type { Performer } from "../execution.ts";
import { requireLook, requireVault } from "./requires.ts";

/** Have an agent do a step, and say how it went. */
export const performWork: Performer<"work"> = async (execution, { iteration, attempt, step, said }, view) => {
  const { vault, task } = await requireVault(execution, view);
  const { path } = requireLook(view);
  const file = await vault.readTask(path ?? "");
  const prompt = stepPrompt({
    vault: vault.root,
    iteration,
    file,
    step: { ...step, text: file.steps.find(({ key }) => key === step.key)?.text ?? step.text },
    verify: step.verify,
    feedback: task.feedback?.key === step.key ? task.feedback.text : null,
    injection: task.injection?.told === false ? task.injection : null,
    said: view.said.filter(({ seq }) => said.includes(seq)).map(({ text }) => text),
  });
  if (task.open === null) {
    await execution.record([
      { type: "loop.iteration.start", iteration },
      { type: "loop.step.begun", iteration, step },
    ]);
  }
  const wanted = {
    iteration,
    attempt,
    role: "executor" as const,
    agentType: "walk" as const,
    title: `${view.config.name}, iteration ${iteration}: ${step.key}`,
    prompt,
    said,
  };
  await converse(execution, view, wanted, async (ask) => {
    await ask(prompt);
    const { output: report } = await ask(reportPrompt(step.key, iteration), StepReport);
    return [{ type: "loop.step.reported", iteration, report }];
  });
};
