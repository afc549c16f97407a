import { type EventBody, Fault, type LoopView, type SodaSettings } from "@ralpher/contract";

/** A run that only waits, for a human or to begin, ends as stopped; one that has ended stays as it is. */
export function stopAtRest({ phase }: LoopView, reason: string): EventBody[] {
  return phase.status === "stuck" || phase.status === "idle" ? [{ type: "loop.stopped", reason }] : [];
}

/** The strategy with another way to run the tests; null: as the manifest says. @throws Fault `invalid_input` */
export function withTest<S extends { type: string }>(strategy: S, test: string | null): S {
  if (strategy.type !== "soda") {
    const issue = { path: "test", message: "only a SODA loop runs tests by itself" };
    throw new Fault("invalid_input", { what: "loop", issues: [issue] });
  }
  const { test: _, ...rest } = strategy as S & Pick<SodaSettings, "test">;
  return { ...rest, ...(test === null ? {} : { test }) } as S;
}
