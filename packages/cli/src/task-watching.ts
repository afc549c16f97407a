import { fold, isUnderWay, type LoopId, type LoopView, type StoredEvent } from "@ralpher/contract";
import type { Ralpher } from "./compose.ts";
import { isUnfinished, listTaskLoops } from "./task-loops.ts";

/** Shows an event of a vault's task; `view` is its loop after the event. */
export type ShowTaskEvent = (event: StoredEvent, view: LoopView) => void;

/** Follows what happens in all task loops of a vault at once, those to come included. */
export class TaskWatching implements Disposable {
  readonly #views = new Map<LoopId, LoopView>();
  /** What happened while the loops there were are being read. */
  #early: StoredEvent[] | null = [];
  readonly #vault: string;
  readonly #show: ShowTaskEvent;
  readonly #unsubscribe: () => void;

  private constructor({ hub }: Ralpher, vault: string, show: ShowTaskEvent) {
    this.#vault = vault;
    this.#show = show;
    this.#unsubscribe = hub.subscribe((published) => {
      if (!published.durable) return;
      if (this.#early === null) this.#take(published.event);
      else this.#early.push(published.event);
    });
  }

  static async start(ralpher: Ralpher, vault: string, show: ShowTaskEvent): Promise<TaskWatching> {
    const watching = new TaskWatching(ralpher, vault, show);
    for (const { config } of (await listTaskLoops(ralpher, vault)).filter(isUnfinished)) {
      watching.#views.set(config.id, await ralpher.hub.require(config.id));
    }
    const early = watching.#early ?? [];
    watching.#early = null;
    for (const event of early) watching.#take(event);
    return watching;
  }

  /** The loops that are under way now. */
  underWay(): LoopView[] {
    return [...this.#views.values()].filter(isUnderWay);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }

  #take(event: StoredEvent): void {
    const before = this.#views.get(event.loopId) ?? null;
    if (before === null ? !this.#isOurs(event) : event.seq <= before.seq) return;
    const view = fold(before, event);
    if (view === null) {
      this.#views.delete(event.loopId);
      return;
    }
    this.#views.set(event.loopId, view);
    this.#show(event, view);
  }

  #isOurs(event: StoredEvent): boolean {
    if (event.type !== "loop.created") return false;
    return event.config.strategy.type === "task" && event.config.directory === this.#vault;
  }
}
