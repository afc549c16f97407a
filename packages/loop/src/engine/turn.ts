import { type EventBody, Fault, openIteration, type TurnResult } from "@ralpher/contract";
import { compileStopPattern } from "../stop-pattern.ts";
import type { Execution, Performer } from "./execution.ts";
import { Scribe } from "./scribe.ts";

/** Give the prompt to a fresh session (R-RUN-2) and record what the agent does, as it does it. */
export const performTurn: Performer<"turn"> = async (execution, step, view) => {
  const { record, backends, signal } = execution;
  const { iteration, attempt, prompt, said } = step;
  const { config, workspace } = view;
  const backend = backends.get(config.backend.type);
  if (backend === undefined) {
    throw new Fault("unknown_backend", { backend: config.backend.type, known: [...backends.keys()] });
  }
  const opening: EventBody[] = openIteration(view) === null ? [{ type: "loop.iteration.start", iteration }] : [];
  await record([
    ...opening,
    { type: "loop.turn.start", iteration, attempt, prompt, ...(said.length === 0 ? {} : { said }) },
  ]);

  await using session = backend.open({
    directory: workspace?.directory ?? config.directory,
    backend: config.backend,
    model: config.model,
    title: `${config.name}, iteration ${iteration}`,
    group: config.id,
    idleTimeoutMs: config.idleTimeoutSeconds * 1000,
    signal,
  });
  const turn = session.turn(prompt);
  using scribe = new Scribe(execution, iteration);
  for await (const event of turn) await scribe.add(event);
  await scribe.end([turnEnd(execution, iteration, await turn.result, compileStopPattern(config.stopPattern))]);
};

function turnEnd(
  { signal }: Execution,
  iteration: number,
  result: TurnResult,
  isPromise: (text: string) => boolean,
): EventBody {
  const { usage } = result;
  if (result.outcome === "done") return { type: "loop.turn.end", iteration, promised: isPromise(result.text), usage };
  // We ended it ourselves: that is no failure of the agent's, and the iteration can be taken up again.
  if (signal.aborted)
    return { type: "loop.interrupted", iteration, cause: "asked", reason: String(signal.reason), usage };
  return { type: "loop.turn.end", iteration, promised: false, failure: result.failure, usage };
}
