import type { TaskConfig } from "../task/config.ts";
import type { StepCheck } from "../task/event.ts";
import type { TaskState } from "../task/state.ts";
import type {
  ControlFile,
  HandOffChoice,
  HandOffKind,
  TaskFile,
  TaskPlace,
  TaskStep,
  VaultProblem,
} from "../task/vault.ts";

/**
 * Vaults of Markdown task files (seed 003). A path within one begins with `/` and is meant from its root; none may lead
 * out of it, symlinks included. What is written is whole or not there at all.
 */
export interface Vaults {
  /** Lay out the folders, a config with every key explained, and an example task. What is there stays. Idempotent. */
  init(root: string): Promise<{ created: string[] }>;
  /** The vault that the folder is, or is in: its root. @throws Fault `vault_unusable` */
  find(directory: string): Promise<string>;
  /** @throws Fault `vault_unusable` for a folder that is none */
  open(root: string): Promise<Vault>;
}

export interface Vault {
  /** Absolute path, symlinks resolved. */
  readonly root: string;
  /** Of the state files it writes. */
  readonly version: string;

  /** The defaults where there is no config. @throws Fault `config_invalid` with every wrong place */
  readConfig(): Promise<TaskConfig>;
  /** A task file by what a person typed: from the root, from the current folder, or absolute. @throws Fault `task_file_unusable` */
  resolveTask(text: string, from: string): Promise<string>;
  /** Task files by folder: those in the specs folder, done, rejected, and hand-offs; newest first, at most 1,000 each. */
  list(config: TaskConfig): Promise<VaultList>;
  /** Only those in the specs folder. */
  listOpen(config: TaskConfig): Promise<VaultEntry[]>;

  /**
   * Where a task that was taken up as `file` is now: moved tasks keep their name, or their folder's. `id`: the task's; a
   * file whose front matter says another `task_id` is another task, and so are those of `except` while they are as they
   * were.
   */
  findTask(
    config: TaskConfig,
    file: string,
    id?: string,
    options?: { except?: readonly Namesake[] | undefined },
  ): Promise<{ place: TaskPlace; path: string | null }>;
  /** Files in the done and rejected folders that `findTask` would take for the task, were it not where it was taken up. */
  namesakes(config: TaskConfig, file: string, id?: string): Promise<Namesake[]>;
  /** @throws Fault `task_file_unusable`, also for one in which nothing is said */
  readTask(path: string): Promise<TaskFile>;
  /**
   * Tick a step's box; every other byte stays, also what a human changed since it was read. Parents whose boxes are all
   * ticked are ticked too. `missing`: a human took the step out, put it elsewhere, or took out or put in another of its
   * words, so that nobody can tell which of them it is. A file without boxes gets `status: done` in its front matter.
   * @throws Fault `task_file_unusable`, `vault_busy` when somebody keeps writing it
   */
  tick(path: string, step: Pick<TaskStep, "key" | "path" | "twins">): Promise<"ticked" | "done" | "missing">;
  /** Move a task to another of the vault's folders; a taken name gets a numbered suffix. Its new path. */
  moveTask(config: TaskConfig, path: string, to: "done" | "rejected"): Promise<string>;

  /** The text of a file in the vault, whatever it is; null when there is none, or it is too large or no text. */
  readText(path: string): Promise<string | null>;

  /** The stop hook, if there is one; a malformed one counts all the same, with a problem. */
  readStopHook(config: TaskConfig): Promise<(ControlFile & { problem: VaultProblem | null }) | null>;
  /** In the seed's form. */
  writeStopHook(config: TaskConfig, reason: string): Promise<string>;
  /** @throws Fault `vault_unusable`, also for a folder of that name */
  removeStopHook(config: TaskConfig): Promise<void>;
  /** What waits to be said to the loop. A malformed file is a problem, and stays (T-INJ-3). */
  readReinjection(config: TaskConfig): Promise<{ file: ControlFile; sha: string } | { problem: VaultProblem } | null>;
  /** Delete it, if it is still what was read. */
  removeReinjection(config: TaskConfig, sha: string): Promise<void>;
  writeReinjection(config: TaskConfig, text: string, options?: { priority?: "normal" | "high" }): Promise<string>;

  /**
   * A state file; a torn or corrupt one falls back to its backup, with a problem. Null when there is none.
   * @throws Fault `state_unusable` for one that is of another program or version: it is never overwritten
   */
  readState(path: string): Promise<{ state: TaskState; problem: VaultProblem | null } | null>;
  /** The file as it was becomes `…_backup.json`. @throws Fault `state_unusable` as above */
  writeState(path: string, state: TaskState): Promise<void>;
  /** Put a finished loop's state into `.state/history/<loop_id>.json`, and remove histories older than the config's days. */
  archiveState(config: TaskConfig, path: string, state: TaskState, now: Date): Promise<string>;

  /** Remove the state of a run, and its backup, from where it no longer belongs. What is not that run's stays. */
  dropState(path: string, loopId: string): Promise<void>;

  /**
   * Ask a human, in the needs-action folder. Its path. One that asks the same of the same iteration, is still open, and has
   * no box ticked is that one: idempotent.
   */
  writeHandOff(config: TaskConfig, handOff: HandOff): Promise<string>;
  /** The choices whose boxes a human ticked; null when the file is gone. */
  readHandOff(path: string): Promise<HandOffChoice[] | null>;
  /** Say below it what came of it, so that it is not answered twice. */
  closeHandOff(path: string, outcome: string): Promise<void>;
  /** The completion report in the logs folder. Its path. */
  writeReport(config: TaskConfig, report: TaskReportText): Promise<string>;
  /** One line, when the config's level lets it through (T-LOG-1). Never throws. */
  log(config: TaskConfig, level: TaskConfig["log_level"], message: string, now: Date): Promise<void>;
  /** Tell a human in the ways the config names; what fails is a problem, never an error (T-NOTE-1). */
  notify(config: TaskConfig, note: Notification): Promise<VaultProblem[]>;

  /**
   * Run a step's check in the vault's root, without a shell; a command that only a shell could run, or whose program is not
   * there, has not passed. Secrets in its output are blotted out. Null when the signal ended it.
   */
  runCheck(command: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<StepCheck | null>;

  /**
   * Be the one process that takes up what is put into this vault. Null when another is. Held until disposed, and lost with
   * the process.
   */
  lockWatch(): Promise<Disposable | null>;
  /** Does a process hold it? */
  isWatched(): Promise<boolean>;

  /** Is the vault in git? */
  isRepository(): Promise<boolean>;

  /**
   * Told within a second when something in the control, specs, done, rejected or needs-action folders may have changed.
   * Cheap while nothing happens, however many files the vault has. Whoever starts it stops it.
   */
  watch(config: TaskConfig, onChange: () => void): Disposable;
}

export interface VaultList {
  open: VaultEntry[];
  done: VaultEntry[];
  rejected: VaultEntry[];
  needsAction: VaultEntry[];
}

/** A file that is called like a task and is none of it. `sha`: SHA-256 of its bytes in hex; empty for one that is no text. */
export interface Namesake {
  path: string;
  sha: string;
}

export interface VaultEntry {
  path: string;
  /** UTC, ISO 8601. */
  modifiedAt: string;
}

export interface HandOff {
  kind: HandOffKind;
  /** After which it is asked. */
  iteration: number;
  /** The loop's id in the state file, e.g. `loop_20260215_103000`. */
  loopId: string;
  taskPath: string;
  title: string;
  /** What happened, in sentences. */
  happened: string;
  step: string | null;
  /** Newest last. */
  errors: string[];
  /** What the check that did not pass printed. */
  output?: string | undefined;
  /** What was tried: an iteration a line. */
  tried: string[];
  choices: HandOffChoice[];
  /** Exact commands that carry on. */
  commands: string[];
  /** Of a stop: the hook's front matter. */
  frontMatter?: Record<string, unknown> | undefined;
  now: Date;
}

export interface TaskReportText {
  loopId: string;
  taskPath: string;
  title: string;
  outcome: string;
  state: TaskState;
  now: Date;
}

export interface Notification {
  event: "completion" | "failure" | "max_iterations" | "stop";
  title: string;
  message: string;
  path: string;
}
