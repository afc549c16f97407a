import {
  type Clock,
  type DurableEvent,
  isFault,
  isWakeable,
  type Journal,
  type LoopId,
  type LoopView,
} from "@ralpher/contract";
import { eventsOf } from "./engine/execution.ts";
import { othersOf } from "./others-of.ts";
import type { SenseParts } from "./sense.ts";
import { type Woken, wake } from "./wake.ts";

/** Look so often whether a human did something that a stuck loop waits for. */
const lookEveryMs = 2_000;

export interface WakerParts extends Pick<SenseParts, "projects" | "openWorkItems" | "changesByAgents"> {
  journal: Journal;
  clock: Clock;
  /** Does this process run the loop? */
  runs: (loopId: LoopId) => boolean;
  onTrouble: (loopId: LoopId, error: unknown) => void;
}

/**
 * Starts stuck SODA loops again when a human commented, changed a task, or changed the spec: nothing is held for them
 * meanwhile but a look at two files now and then.
 */
export class Waker implements AsyncDisposable {
  readonly #parts: WakerParts;
  readonly #closing = new AbortController();
  /** What the files were like when a loop was last looked at for good. */
  readonly #stamps = new Map<LoopId, string>();
  readonly #watching: Promise<void>;

  constructor(parts: WakerParts) {
    this.#parts = parts;
    this.#watching = this.#watch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { journal, clock, runs, onTrouble } = this.#parts;
    while (!this.#closing.signal.aborted) {
      const stuck: LoopId[] = await journal.ids(["stuck"]).catch(() => []);
      for (const loopId of stuck.filter(runs)) {
        await this.#look(loopId).catch((error) => {
          if (!isFault(error)) onTrouble(loopId, error);
        });
      }
      for (const known of this.#stamps.keys()) if (!stuck.includes(known)) this.#stamps.delete(known);
      await clock.sleep(lookEveryMs, this.#closing.signal);
    }
  }

  async #look(loopId: LoopId): Promise<void> {
    const { journal, clock } = this.#parts;
    const view = await journal.find(loopId);
    if (view === null || !isWakeable(view)) return;
    const woken = await this.#findReason(view);
    if (woken === null) return;
    await journal.append(loopId, (now): DurableEvent[] =>
      now === null || !isWakeable(now) ? [] : eventsOf(loopId, clock.now(), wake(woken)),
    );
  }

  async #findReason(view: LoopView): Promise<Woken | null> {
    const { projects, openWorkItems } = this.#parts;
    const { soda, workspace, config } = view;
    if (soda === null || soda.spec === null || soda.root === null) return null;
    await using items = openWorkItems(workspace?.directory ?? config.directory);
    const stamp = `${await items.stamp()} ${await projects.specStamp(soda.spec.path)}`;
    if (this.#stamps.get(view.id) === stamp) return null;
    const spec = await projects.readSpec(soda.spec.path).catch(() => null);
    if (spec !== null && spec.sha !== soda.spec.sha) return { by: "spec", note: "the spec was changed" };
    const { items: all, comments } = await items.snapshot(soda.root.id);
    const [first] = othersOf(this.#parts, soda.mark, all, comments);
    // Looked at for good only now: what fails above is tried again.
    this.#stamps.set(view.id, stamp);
    if (first === undefined) return null;
    const by = first.type === "comment" ? "comment" : "task_update";
    return { by, note: `${first.type === "comment" ? "a comment" : "a change"} on ${first.task_id}: ${first.content}` };
  }
}
