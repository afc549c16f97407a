import {
  type EventBody,
  Fault,
  type HandOffChoice,
  isAsking,
  type LoopConfig,
  type LoopView,
  limitsOf,
} from "@ralpher/contract";

/**
 * A human answers what a task asked by a file in its vault, and it goes on with the answer; null when it asks nothing.
 * @throws Fault `invalid_input` for a choice that was not offered
 */
export function answerHandOff(view: LoopView, choice: HandOffChoice, path: string | undefined): EventBody[] | null {
  const handOff = view.task?.handOff ?? null;
  if (!isAsking(view) || handOff === null) return null;
  if (!handOff.choices.includes(choice)) {
    const message = `it can be ${handOff.choices.join(", ")}`;
    throw new Fault("invalid_input", { what: "choice", issues: [{ path: "choice", message }] });
  }
  const maxIterations = view.iteration + (limitsOf(view).maxIterations ?? 0);
  return [
    { type: "loop.chosen", choice, path: path ?? null },
    ...(choice === "more_iterations"
      ? [{ type: "loop.updated" as const, config: { ...view.config, maxIterations } }]
      : []),
    { type: "loop.starting", resetFailures: true },
  ];
}

/** A task's threshold counts only where it was given by hand. */
export function withThreshold(config: LoopConfig, failureThreshold: number): Partial<LoopConfig> {
  const { strategy } = config;
  return strategy.type === "task" ? { strategy: { ...strategy, failureThreshold } } : { failureThreshold };
}
