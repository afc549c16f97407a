import { type EventBody, openIteration } from "@ralpher/contract";
import type { Performer } from "./execution.ts";

/** Record how the iteration went; its error, if it had one, is the loop's error from now on. */
export const performClose: Performer<"close"> = async ({ record }, { iteration, outcome }, view) => {
  const turn = openIteration(view)?.turn;
  const failure = turn?.state === "ended" ? turn.failure : null;
  const error: EventBody[] = failure === null ? [] : [{ type: "loop.error", iteration, error: failure.message }];
  await record([...error, { type: "loop.iteration.end", iteration, outcome }]);
};
