import {
  type Clock,
  type CreateLoopInput,
  CreateLoopRequest,
  Fault,
  isFault,
  type Journal,
  type LoopId,
  type LoopSummary,
  type ModelRef,
  sameVault,
  type TaskConfig,
  type Vault,
  type Vaults,
} from "@ralpher/contract";
import { isAtWork, isHolding } from "./task-preconditions.ts";

/** Look at least so often, whatever was told. */
const lookEveryMs = 10_000;
/** A file that was written less long ago may be half there. */
const settledMs = 200;

/** What a watch tells of. */
export type VaultNote =
  /** A task file was taken up. */
  | { type: "taken"; path: string; loopId: LoopId }
  /** A loop of the vault that another process left goes on here. */
  | { type: "goes_on"; path: string; loopId: LoopId }
  /** A file cannot be taken up as it is. Told once for each state of the file. */
  | { type: "refused"; path: string; message: string }
  /** Nothing is taken up while there is a stop hook. */
  | { type: "hooked"; path: string }
  | { type: "trouble"; message: string };

export interface VaultWatchOptions {
  backend?: CreateLoopInput["backend"];
  model?: ModelRef | undefined;
  /** So many tasks at once; default: what the config says. */
  parallel?: number | undefined;
  onNote: (note: VaultNote) => void;
}

export interface VaultWatchParts {
  journal: Journal;
  vaults: Vaults;
  clock: Clock;
  hub: {
    create(request: CreateLoopRequest): Promise<{ id: LoopId }>;
    adopt(loopId: LoopId): void;
  };
}

/** Take up every task file that is put into the vault. @throws Fault `vault_unusable`, `config_invalid`, `vault_watched` */
export async function openVaultWatch(
  parts: VaultWatchParts,
  directory: string,
  options: VaultWatchOptions,
): Promise<AsyncDisposable> {
  const vault = await parts.vaults.open(await parts.vaults.find(directory));
  const config = await vault.readConfig();
  const lock = await vault.lockWatch();
  if (lock === null) throw new Fault("vault_watched", { path: vault.root });
  return new VaultWatch(parts, { vault, config, lock }, options);
}

class VaultWatch implements AsyncDisposable {
  readonly #parts: VaultWatchParts;
  readonly #vault: Vault;
  readonly #lock: Disposable;
  readonly #options: VaultWatchOptions;
  readonly #closing = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #running: Promise<void>;
  /** What was told last of each file, and of the vault. */
  readonly #told = new Map<string, string>();
  readonly #adopted = new Set<LoopId>();
  #config: TaskConfig;
  #bell = new AbortController();

  constructor(
    parts: VaultWatchParts,
    { vault, config, lock }: { vault: Vault; config: TaskConfig; lock: Disposable },
    options: VaultWatchOptions,
  ) {
    this.#parts = parts;
    this.#vault = vault;
    this.#config = config;
    this.#lock = lock;
    this.#options = options;
    // A loop that ends makes room for another.
    this.#unsubscribe = parts.journal.subscribe(({ durable, event }) => {
      if (durable && this.#adopted.has(event.loopId)) this.#bell.abort();
    });
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#closing.abort();
    await this.#running;
    this.#lock[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#closing;
    using _watch = this.#vault.watch(this.#config, () => this.#bell.abort());
    while (!signal.aborted) {
      this.#bell = new AbortController();
      const again = await this.#pass().catch((error) => {
        this.#tell("", { type: "trouble", message: isFault(error) ? error.message : String(error) });
        return false;
      });
      const ms = again ? settledMs : lookEveryMs;
      await clock.sleep(ms, AbortSignal.any([signal, this.#bell.signal]));
    }
  }

  /** Take up what can be; true when something will be ready in a moment. */
  async #pass(): Promise<boolean> {
    const { journal } = this.#parts;
    this.#config = await this.#vault.readConfig();
    const { root } = this.#vault;
    const loops = (await journal.list({ text: root })).filter((row) => sameVault(row, root) && isHolding(row));
    for (const row of loops) this.#adopt(row);
    const heeds = this.#config.check_stop_hook_every_iteration;
    const hook = heeds ? await this.#vault.readStopHook(this.#config) : null;
    if (hook !== null) {
      this.#tell("", { type: "hooked", path: hook.path });
      return false;
    }
    const most = this.#options.parallel ?? this.#config.max_parallel_tasks;
    let free = most - loops.filter(isAtWork).length;
    const held = new Set(loops.map(({ config }) => config.file));
    let isAgain = false;
    // Whoever came first is first.
    for (const { path, modifiedAt } of (await this.#vault.listOpen(this.#config)).toReversed()) {
      if (held.has(path)) continue;
      if (free <= 0 || this.#closing.signal.aborted) break;
      // A clock that is ahead elsewhere wrote a time to come.
      const isSettled = Math.abs(this.#parts.clock.now().getTime() - Date.parse(modifiedAt)) >= settledMs;
      isAgain ||= !isSettled;
      if (isSettled && (await this.#takeUp(path, modifiedAt))) free--;
    }
    this.#told.delete("");
    return isAgain;
  }

  async #takeUp(path: string, modifiedAt: string): Promise<boolean> {
    const { hub } = this.#parts;
    if (this.#told.get(path)?.startsWith(`${modifiedAt} `)) return false;
    const { backend, model } = this.#options;
    try {
      const request = CreateLoopRequest.parse({
        directory: this.#vault.root,
        strategy: { type: "task", file: path, startedBy: "watch" },
        start: {},
        ...(backend === undefined ? {} : { backend }),
        ...(model === undefined ? {} : { model }),
      });
      const { id: loopId } = await hub.create(request);
      this.#told.delete(path);
      this.#adopted.add(loopId);
      this.#options.onNote({ type: "taken", path, loopId });
      hub.adopt(loopId);
      return true;
    } catch (error) {
      if (!isFault(error)) throw error;
      // What lies with the file is tried again when that changes, all else each time.
      const at = error.code === "task_file_unusable" ? `${modifiedAt} ` : "";
      const told = this.#told.get(path);
      this.#told.set(path, `${at}${error.message}`);
      if (told !== `${at}${error.message}`) this.#options.onNote({ type: "refused", path, message: error.message });
      return false;
    }
  }

  #adopt(row: LoopSummary): void {
    const { config } = row;
    if (this.#adopted.has(config.id)) return;
    this.#adopted.add(config.id);
    this.#parts.hub.adopt(config.id);
    if (!isAtWork(row)) return;
    this.#options.onNote({ type: "goes_on", path: config.file ?? config.name, loopId: config.id });
  }

  #tell(key: string, note: VaultNote): void {
    const text = JSON.stringify(note);
    if (this.#told.get(key) === text) return;
    this.#told.set(key, text);
    this.#options.onNote(note);
  }
}
