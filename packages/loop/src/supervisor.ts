import { isFault, type LoopId, type LoopStatus, type Published } from "@ralpher/contract";
import type { EngineParts } from "./engine/execution.ts";
import { Asks, runLoop } from "./engine/run-loop.ts";

/** Look so often for loops that want running and have nobody: their process died, or the disk was full. */
const sweepEveryMs = 2_000;
/** A loop that cannot be run for a reason that lies with us is tried again ever less often, at least so often. */
const longestPauseMs = 60_000;
const underWay: LoopStatus[] = ["starting", "running", "waiting"];

export interface SupervisorOptions extends EngineParts {
  /** Which loops this process runs: all that want running, or only those it is told to. */
  runs: "all" | "adopted";
  /** Told of what no loop can record: bugs, and a journal that cannot be written. */
  onTrouble: (loopId: LoopId, error: unknown) => void;
}

/**
 * One execution per loop in this process, and by leases one in all processes.
 * Owns: waking, handing over, letting go. Does not own: what a loop does next (nextStep) or how (engine).
 */
export class Supervisor implements AsyncDisposable {
  readonly #options: SupervisorOptions;
  readonly #closing = new AbortController();
  readonly #executions = new Map<LoopId, { asks: Asks; done: Promise<void>; wokenAgain: boolean }>();
  readonly #adopted = new Set<LoopId>();
  /** Loops that ran into trouble: how often in a row, and when to try them again. */
  readonly #troubled = new Map<LoopId, { times: number; notBefore: number }>();
  readonly #unsubscribe: () => void;
  readonly #sweep: Promise<void>;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#unsubscribe = options.journal.subscribe((published) => this.#hear(published));
    this.#sweep = this.#sweepForEver();
  }

  /** Run this loop here whenever it wants running, though this process does not run all. */
  adopt(loopId: LoopId): void {
    this.#adopted.add(loopId);
    this.#wake(loopId);
  }

  /** Does this process run the loop when it wants running? */
  runs(loopId: LoopId): boolean {
    return this.#options.runs === "all" || this.#adopted.has(loopId);
  }

  /** Let go of everything: turns under way are ended and recorded as interrupted; loops stay ready to go on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#closing.abort("Ralpher was shut down");
    await Promise.all([this.#sweep, ...[...this.#executions.values()].map(({ done }) => done)]);
  }

  #hear({ durable, event }: Published): void {
    if (!durable) return;
    const execution = this.#executions.get(event.loopId);
    switch (event.type) {
      case "loop.starting":
      case "loop.resumed":
        execution?.asks.ring();
        this.#wake(event.loopId);
        break;
      case "loop.stop.requested":
        execution?.asks.letGo(event.reason);
        break;
      case "loop.pause.requested":
        if (event.now) execution?.asks.letGo("paused by hand");
        else execution?.asks.ring();
        break;
      case "loop.said":
        if (event.now) execution?.asks.letGo("a human has something to say");
        else execution?.asks.ring();
        break;
      case "loop.updated":
        execution?.asks.ring();
    }
  }

  #wake(loopId: LoopId): void {
    if (this.#closing.signal.aborted) return;
    if (!this.runs(loopId)) return;
    const running = this.#executions.get(loopId);
    if (running !== undefined) {
      // It may be past its last look at the view: it is run once more when it ends.
      running.wokenAgain = true;
      return;
    }
    const asks = new Asks(this.#closing.signal);
    const execution = { asks, wokenAgain: false, done: Promise.resolve() };
    this.#executions.set(loopId, execution);
    execution.done = this.#execute(loopId, asks)
      .then(
        () => void this.#troubled.delete(loopId),
        (error) => this.#onTrouble(loopId, error),
      )
      .finally(() => {
        this.#executions.delete(loopId);
        if (execution.wokenAgain) this.#wake(loopId);
      });
  }

  #onTrouble(loopId: LoopId, error: unknown): void {
    const times = (this.#troubled.get(loopId)?.times ?? 0) + 1;
    const pauseMs = Math.min(sweepEveryMs * 2 ** (times - 1), longestPauseMs);
    this.#troubled.set(loopId, { times, notBefore: this.#options.clock.now().getTime() + pauseMs });
    this.#options.onTrouble(loopId, error);
  }

  async #execute(loopId: LoopId, asks: Asks): Promise<void> {
    await using lease = await this.#options.journal.lease(loopId);
    if (lease !== null) await runLoop(this.#options, loopId, lease, asks, this.#closing.signal);
  }

  #isDue(loopId: LoopId): boolean {
    const notBefore = this.#troubled.get(loopId)?.notBefore ?? 0;
    return !this.#executions.has(loopId) && this.#options.clock.now().getTime() >= notBefore;
  }

  async #sweepForEver(): Promise<void> {
    const { journal, clock, onTrouble } = this.#options;
    while (!this.#closing.signal.aborted) {
      try {
        for (const loopId of await journal.ids(underWay)) if (this.#isDue(loopId)) this.#wake(loopId);
      } catch (error) {
        if (!isFault(error)) onTrouble("" as LoopId, error);
      }
      await clock.sleep(sweepEveryMs, this.#closing.signal);
    }
  }
}
