import { type Clock, type Journal, type LoopId, type Published, toSummary } from "@ralpher/contract";

/** A loop's line changes at most so often on the screens that show the list. */
const everyMs = 200;

/** Tells those who watch the list how a loop's line looks now, after anything about it was stored. */
export class Summaries {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #changed = new Set<LoopId>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  hear({ durable, event }: Published): void {
    if (!durable || event.type === "loop.deleted") return;
    this.#changed.add(event.loopId);
    this.#timer ??= setTimeout(() => void this.#tell(), everyMs);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #tell(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    this.#timer = null;
    for (const loopId of changed) {
      // A journal that cannot be read now is told of by whoever asks it next; the line comes with the next change.
      const view = await this.#journal.find(loopId).catch(() => null);
      if (view === null) continue;
      const at = this.#clock.now().toISOString();
      this.#journal.broadcast({ type: "loop.summary", loopId, at, summary: toSummary(view) });
    }
  }
}
