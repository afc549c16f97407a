import type { BackendReport } from "../backend.ts";
import type { Command, CreateLoopRequest } from "../command.ts";
import type { EphemeralEvent, StoredEvent } from "../event.ts";
import type { LoopView } from "../fold/view.ts";
import type { FileDiff } from "../git.ts";
import type { LoopId } from "../ids.ts";
import type { LoopSummary } from "../loop.ts";
import type { EventQuery, LoopQuery, Published } from "./journal.ts";
import type { DirectoryReport } from "./workspaces.ts";

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
  count(query?: LoopQuery): Promise<number>;
  read(query: EventQuery): Promise<StoredEvent[]>;
  latest(): Promise<number>;
  subscribe(listener: (published: Published) => void): () => void;
  /** What is being written and run right now, for somebody who begins to watch; only loops run by this process. */
  live(loopId: LoopId): EphemeralEvent[];

  diff(loopId: LoopId, of?: { commit: string }): Promise<FileDiff[]>;
  /** A file of the loop's tree by its relative path; null when there is none. */
  readFile(loopId: LoopId, path: string): Promise<string | null>;
  inspect(directory: string): Promise<DirectoryReport>;
  backends(): Promise<BackendReport[]>;
}
