import { type EventBody, isFault, type Lease, type LoopId, type LoopView, openIteration } from "@ralpher/contract";
import { nextStep, turnIsRunning } from "../next-step.ts";
import { type EngineParts, type Execution, eventsOf } from "./execution.ts";
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

/** Thrown inside an execution whose loop another process has taken: stop without a word. */
class LeaseLost extends Error {}

/**
 * Run the loop until it rests, the process closes, or the lease is lost. First, whatever a dead process left under way
 * is closed as interrupted. @throws what the journal throws; a fault of a step ends the loop as failed instead
 */
export async function runLoop(
  parts: EngineParts,
  loopId: LoopId,
  lease: Lease,
  asks: Asks,
  closing: AbortSignal,
): Promise<void> {
  const record = async (bodies: EventBody[]): Promise<LoopView> => {
    if (lease.lost.aborted) throw new LeaseLost();
    const view = await parts.journal.append(loopId, () => eventsOf(loopId, parts.clock.now(), bodies));
    if (view === null) throw new LeaseLost();
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
      const execution: Execution = {
        ...parts,
        ...signals,
        loopId,
        record,
        show: (event) =>
          parts.journal.broadcast({ ...event, loopId, at: parts.clock.now().toISOString() } as Parameters<
            typeof parts.journal.broadcast
          >[0]),
      };
      try {
        await perform(execution, step, view);
      } catch (error) {
        // A fault is about the user's folder, agent or disk: the loop ends with it, in words. The rest is a bug.
        if (!isFault(error)) throw error;
        await fail(error.message, record, await parts.journal.find(loopId));
      }
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}

/** An agent that still works in the tree would work against the next one. */
async function closeLeftover(
  { endLeftovers }: EngineParts,
  view: LoopView | null,
  record: (bodies: EventBody[]) => Promise<LoopView>,
): Promise<void> {
  if (view === null || !turnIsRunning(view)) return;
  await endLeftovers();
  await record([{ type: "loop.interrupted", iteration: view.iteration, reason: "the process that ran it ended" }]);
}

async function fail(
  reason: string,
  record: (bodies: EventBody[]) => Promise<LoopView>,
  view: LoopView | null,
): Promise<void> {
  const iteration = view?.iteration ?? 0;
  const open = view === null ? null : openIteration(view);
  const closed: EventBody[] = open === null ? [] : [{ type: "loop.iteration.end", iteration, outcome: "error" }];
  await record([{ type: "loop.error", iteration, error: reason }, ...closed, { type: "loop.failed", reason }]);
}
