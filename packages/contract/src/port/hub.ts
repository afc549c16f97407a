import type { BackendType } from "../agent.ts";
import type { BackendReport, ModelInfo } from "../backend.ts";
import type { Command, CreateLoopRequest } from "../command.ts";
import type { EphemeralEvent, StoredEvent } from "../event.ts";
import type { LoopView } from "../fold/view.ts";
import type { FileDiff, GitFacts, PullRequest, PushResult } from "../git.ts";
import type { LoopId } from "../ids.ts";
import type { IterationDetail } from "../iteration.ts";
import type { LoopSummary } from "../loop.ts";
import type { LoopImport } from "../loop-import.ts";
import type { Settings, SettingsChanges } from "../settings.ts";
import type { Claims } from "../soda/claims.ts";
import type { SodaReport } from "../soda/report.ts";
import type { TaskDetail, VaultBoard, VaultCommand } from "../task/detail.ts";
import type { Totals } from "../totals.ts";
import type { EventQuery, LoopQuery, Published, RawEvent, SearchPage, SearchQuery } from "./journal.ts";
import type { WorkItems } from "./work-items.ts";
import type { DirectoryReport, PullRequestText } from "./workspaces.ts";

/**
 * Everything a surface (API, dashboard, CLI) may do. Commands go down through here; events come up through here.
 * Every method throws Faults for what a user can cause.
 */
export interface Hub {
  /** Check the settings and the folder, then make the loop (and start it when asked). Nothing is made on a fault. */
  create(request: CreateLoopRequest): Promise<LoopView>;
  /** Resolves when the command is recorded (accept, discard, delete: when it is done). Null after a delete. */
  dispatch(command: Command): Promise<LoopView | null>;

  /** @throws Fault `loop_not_found` */
  require(loopId: LoopId): Promise<LoopView>;
  /** A whole id, its beginning, or a name. @throws Fault `loop_not_found`, `ambiguous_id` */
  resolve(text: string): Promise<LoopId>;
  list(query?: LoopQuery): Promise<LoopSummary[]>;
  /** See Journal. */
  listRaw(query?: LoopQuery): Promise<string[]>;
  count(query?: LoopQuery): Promise<number>;
  read(query: EventQuery): Promise<StoredEvent[]>;
  latest(): Promise<number>;
  subscribe(listener: (published: Published) => void): () => void;
  /** What is being written and run right now in a loop, or in all of them (null); only loops run by this process. */
  live(loopId: LoopId | null): EphemeralEvent[];

  /** See Journal. */
  readRaw(query: EventQuery): Promise<RawEvent[]>;
  search(loopId: LoopId, query: SearchQuery): Promise<SearchPage>;
  /** The newest iterations before the one that begins at `before`, oldest first. At most `limit`, default 50. */
  iterations(
    loopId: LoopId,
    page?: { before?: number | undefined; limit?: number | undefined },
  ): Promise<IterationDetail[]>;

  /** What changed: in all, in a commit, or in an iteration; `path` narrows to one file. */
  diff(loopId: LoopId, of?: DiffQuery): Promise<FileDiff[]>;
  /** A file of the loop's tree, or of one of its commits, by its relative path; null when there is none. */
  readFile(loopId: LoopId, path: string, at?: { commit: string }): Promise<string | null>;
  /** Null for a loop without git. */
  facts(loopId: LoopId): Promise<GitFacts | null>;
  push(loopId: LoopId, options?: { remote?: string | undefined }): Promise<PushResult>;
  /** Push, then make a pull request or find the page for it. Title and body are the loop's name and goal by default. */
  pullRequest(loopId: LoopId, options?: Partial<PullRequestText>): Promise<PullRequest>;

  /** The loop with all its history and captures: JSON lines (`BundleLine`), packed with gzip. Never all of it in memory. */
  exportBundle(loopId: LoopId): AsyncIterable<Uint8Array>;
  /**
   * Take in a loop from elsewhere, at rest: what it was, or a bundle with all its history. Its id is kept when it is free
   * here. All or nothing. @throws Fault `bundle_invalid`, `too_large`, `invalid_input`
   */
  importLoop(source: LoopImport | AsyncIterable<Uint8Array>): Promise<LoopView>;

  /** What all loops did since a time; what no agent reported is null. */
  totals(since: Date): Promise<Totals>;

  /** A SODA loop phase by phase: its newest iterations before one. At most `limit`, default 50. @throws Fault `not_soda` */
  soda(loopId: LoopId, page?: { before?: number | undefined; limit?: number | undefined }): Promise<SodaReport>;
  /** What SENSE would claim now, of a SODA loop or of a folder without one. Changes nothing. @throws Fault `not_soda` */
  sense(of: { loopId: LoopId } | { directory: string }): Promise<Claims>;
  /** The work items of a folder's project. Whoever opens them closes them. */
  openWorkItems(directory: string): WorkItems;

  /** A task loop, its file and its vault as they are now. @throws Fault `not_task`, `vault_unusable` */
  task(loopId: LoopId): Promise<TaskDetail>;
  /** Lay out a vault, or what is missing of one. @throws Fault `vault_unusable` */
  initVault(directory: string): Promise<{ root: string; created: string[] }>;
  /** The vault that the folder is, or is in. @throws Fault `vault_unusable` */
  findVault(directory: string): Promise<string>;
  /** @throws Fault `vault_unusable` */
  vault(directory: string): Promise<VaultBoard>;
  /** Returns the path of the file that was written or removed. @throws Fault `vault_unusable`, `config_invalid`, `vault_stopping` */
  tellVault(directory: string, command: VaultCommand): Promise<{ path: string }>;

  settings(): Promise<Settings>;
  changeSettings(changes: SettingsChanges): Promise<Settings>;

  inspect(directory: string): Promise<DirectoryReport>;
  /** Folders whose path begins with this text, for completion; at most 50. */
  directories(prefix: string): Promise<DirectoryEntry[]>;
  backends(): Promise<BackendReport[]>;
  /**
   * What the agent offers in the folder; where no loop has worked on it here, in the home folder, for the agent runs what
   * a folder's own settings tell it to. @throws Fault `unknown_backend`, `agent_missing`, `agent_failed`
   */
  models(backend: BackendType, directory: string, signal: AbortSignal): Promise<ModelInfo[]>;
}

export type DiffQuery = { path?: string | undefined; patches?: boolean | undefined } & (
  | { commit?: string | undefined }
  | { iteration: number }
);

export interface DirectoryEntry {
  path: string;
  /** It holds a git repository. */
  repository: boolean;
}
