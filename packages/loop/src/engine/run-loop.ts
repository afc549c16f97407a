import {
  type EphemeralEvent,
  type EventBody,
  Fault,
  isFault,
  type Lease,
  type LoopId,
  type LoopView,
  openIteration,
  unknownUsage,
} from "@ralpher/contract";
import { nextStep, turnIsRunning } from "../next-step.ts";
import { type EngineParts, type Execution, eventsOf } from "./execution.ts";
import { performFailure } from "./finish.ts";
import { perform } from "./perform.ts";

/** The handle of one running execution: how asks and the end of the process reach it. */
export class Asks {
  readonly #closing: AbortSignal;
  #bell = new AbortController();
  #step = new AbortController();

  constructor(closing: AbortSignal) {
    this.#closing = closing;
  }

  /** Somebody asked for something: end a wait. */
  ring(): void {
    this.#bell.abort();
  }

  /** Let go of what is being done. */
  letGo(reason: string): void {
    this.#step.abort(reason);
    this.ring();
  }

  /** Fresh signals for the next step. What was asked before is in the view by now. */
  forStep(lost: AbortSignal): { signal: AbortSignal; bell: AbortSignal } {
    this.#bell = new AbortController();
    this.#step = new AbortController();
    return { signal: AbortSignal.any([this.#closing, lost, this.#step.signal]), bell: this.#bell.signal };
  }
}

/** A loop whose process dies so often in one iteration does not do it by accident. */
const mostDeaths = 3;

/**
 * Run the loop until it rests, the process closes, or the lease is lost. First, whatever a dead process left under way
 * is closed. A fault of the user's folder or agent ends the loop as failed. @throws what the journal throws, a full disk,
 * and bugs: the loop stays as it is, to be taken up again
 */
export async function runLoop(
  parts: EngineParts,
  loopId: LoopId,
  lease: Lease,
  asks: Asks,
  closing: AbortSignal,
): Promise<void> {
  const record = async (bodies: EventBody[]): Promise<LoopView> => {
    const events = () => eventsOf(loopId, parts.clock.now(), bodies);
    const view = await parts.journal.append(loopId, events, lease).catch((error) => {
      throw new Unrecorded(error);
    });
    if (view === null) throw new Unrecorded(new Fault("loop_not_found", { id: loopId }));
    return view;
  };
  try {
    await closeLeftover(parts, await parts.journal.find(loopId), record);
    while (!closing.aborted) {
      // The signals come first: what is asked from here on reaches them, what was asked before is in the view.
      const signals = asks.forStep(lease.lost);
      const view = await parts.journal.find(loopId);
      const step = view === null ? null : nextStep(view, parts.clock.now());
      if (view === null || step === null) return;
      const show: Execution["show"] = (body) => {
        parts.journal.broadcast({ ...body, loopId, at: parts.clock.now().toISOString() } as EphemeralEvent);
      };
      const execution: Execution = { ...parts, ...signals, loopId, record, show };
      try {
        await perform(execution, step, view);
      } catch (error) {
        if (!isFault(error) || error.code === "disk_full") throw error;
        await performFailure(execution, error, await parts.journal.find(loopId));
      }
    }
  } catch (error) {
    if (!(error instanceof Unrecorded)) throw error;
    // Another process has the loop, or it was deleted: not a word more from this one.
    if (!isFault(error.cause, "loop_busy") && !isFault(error.cause, "loop_not_found")) throw error.cause;
  }
}

/** Something that happened could not be recorded. Never a fault of the step that it happened in. */
class Unrecorded extends Error {
  constructor(cause: unknown) {
    super("could not be recorded", { cause });
  }
}

/** An agent that still works in the tree would work against the next one. */
async function closeLeftover(
  { endLeftovers }: EngineParts,
  view: LoopView | null,
  record: Execution["record"],
): Promise<void> {
  const open = view === null ? null : openIteration(view);
  if (view === null || open === null || !turnIsRunning(view)) return;
  await endLeftovers();
  const iteration = open.number;
  const reason = "the process that ran it ended";
  await record([{ type: "loop.interrupted", iteration, cause: "died", reason }]);
  if (open.deaths + 1 < mostDeaths) return;
  const message = `Ralpher ended unexpectedly ${mostDeaths} times in this iteration`;
  const failure = { reason: "crashed", message } as const;
  await record([{ type: "loop.turn.end", iteration, promised: false, failure, usage: unknownUsage }]);
}
