import {
  type Clock,
  type Command,
  type HandOffChoice,
  isAsking,
  isFault,
  type Journal,
  type LoopId,
  type LoopView,
  type Published,
  sameVault,
  TaskConfig,
  type Vault,
  type Vaults,
} from "@ralpher/contract";
import { whereIs } from "../engine/task/requires.ts";
import { isAtWork } from "./task-preconditions.ts";

/** Look so often whether a human answered. */
const lookEveryMs = 1_000;

export interface HandOffWatchParts {
  journal: Journal;
  vaults: Vaults;
  clock: Clock;
  /** Does this process run the loop? */
  runs: (loopId: LoopId) => boolean;
  /** Have the choice carried out. */
  choose: (command: Extract<Command, { type: "choose" | "start" }>) => Promise<unknown>;
  onTrouble: (loopId: LoopId, error: unknown) => void;
}

/** What makes an agent work. */
const needsRoom = new Set<HandOffChoice>(["retry", "more_iterations", "skip_step"]);

/**
 * Carries on tasks that asked a human by a file, once the human answered there: by a tick, by moving the task's file, or by
 * taking away the stop hook that it was stopped with. Nothing is held for them but a look at a file or two.
 */
export class HandOffWatch implements AsyncDisposable {
  readonly #parts: HandOffWatchParts;
  readonly #closing = new AbortController();
  readonly #asking = new Set<LoopId>();
  /** What a choice could not be carried out for, so that it is told once. */
  readonly #told = new Map<LoopId, string>();
  readonly #unsubscribe: () => void;
  readonly #watching: Promise<void>;

  constructor(parts: HandOffWatchParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.journal.subscribe((published) => this.#hear(published));
    this.#watching = this.#watch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#closing.abort();
    await this.#watching;
  }

  #hear({ durable, event }: Published): void {
    if (durable && event.type === "loop.handed_off") this.#asking.add(event.loopId);
  }

  async #watch(): Promise<void> {
    const { journal, clock, runs, onTrouble } = this.#parts;
    const rows = await journal.list().catch(() => []);
    for (const { config, state } of rows) if (state.handOff !== undefined) this.#asking.add(config.id);
    while (!this.#closing.signal.aborted) {
      for (const loopId of [...this.#asking].filter(runs)) {
        await this.#look(loopId).catch((error) => {
          const text = String(error);
          if (this.#told.get(loopId) === text) return;
          this.#told.set(loopId, text);
          onTrouble(loopId, error);
        });
      }
      await clock.sleep(lookEveryMs, this.#closing.signal);
    }
  }

  async #look(loopId: LoopId): Promise<void> {
    const view = await this.#parts.journal.find(loopId);
    const handOff = view?.task?.handOff ?? null;
    if (view === null || handOff === null || handOff.answer !== null) {
      this.#asking.delete(loopId);
      return;
    }
    // It ends right now: what it asks is written before its end is.
    if (!isAsking(view)) return;
    const command = await this.#findAnswer(view);
    if (command === null) return;
    try {
      await this.#parts.choose(command);
      this.#told.delete(loopId);
    } catch (error) {
      // Others of the vault still heed the stop hook: it is tried again when they have. Or another process was first.
      if (!isFault(error, "vault_stopping") && !isFault(error, "illegal_transition")) throw error;
    }
  }

  async #findAnswer(view: LoopView): Promise<Extract<Command, { type: "choose" | "start" }> | null> {
    const { id: loopId, task, config } = view;
    const handOff = task?.handOff ?? null;
    if (task?.vault == null || handOff === null || config.strategy.type !== "task") return null;
    const vault = await this.#parts.vaults.open(task.vault);
    const settings: TaskConfig = task.look?.config ?? TaskConfig.parse({});
    const [choice, ...others] = (await vault.readHandOff(handOff.path)) ?? [];
    if (others.length > 0) {
      await this.#warn(vault, settings, loopId, `${handOff.path}: several boxes are ticked; tick one`);
      return null;
    }
    if (choice !== undefined) {
      const isFree = !needsRoom.has(choice) || (await this.#hasRoom(vault, settings));
      return isFree ? { type: "choose", loopId, choice, path: handOff.path } : null;
    }
    const { place } = await whereIs(vault, settings, view);
    // Moved by hand: it is started just to be put away with its report and its state.
    if (place !== task.look?.place && (place === "done" || place === "rejected")) return { type: "start", loopId };
    const wasHooked = handOff.kind === "stop_report" && task.look?.stopHook != null;
    if (!wasHooked || (await vault.readStopHook(settings)) !== null) return null;
    return (await this.#hasRoom(vault, settings)) ? { type: "choose", loopId, choice: "retry" } : null;
  }

  /** A vault that is watched works on so many tasks at once, whoever makes them go on. */
  async #hasRoom(vault: Vault, config: TaskConfig): Promise<boolean> {
    if (!(await vault.isWatched())) return true;
    const rows = (await this.#parts.journal.list({ text: vault.root })).filter((row) => sameVault(row, vault.root));
    return rows.filter(isAtWork).length < config.max_parallel_tasks;
  }

  async #warn(vault: Vault, config: TaskConfig, loopId: LoopId, text: string): Promise<void> {
    if (this.#told.get(loopId) === text) return;
    this.#told.set(loopId, text);
    await vault.log(config, "WARNING", text, this.#parts.clock.now());
  }
}
