import type { LoopId } from "../ids.ts";

/** The captured conversations of loops, a file of JSON lines each. A file's name has no folder. */
export interface Captures {
  /** The names of a loop's files, oldest first. */
  list(loopId: LoopId): Promise<string[]>;
  /** A file, a piece at a time; what is written to it meanwhile may be left out. Empty when it is gone. */
  read(loopId: LoopId, name: string): AsyncIterable<string>;
  /** Take in files from elsewhere, aside until they are kept. Whoever opened it closes it. @throws Fault `disk_full` */
  openIntake(): CapturesIntake;
  /** Remove all that was captured of a loop. Idempotent. */
  remove(loopId: LoopId): Promise<void>;
}

/** Disposing it removes what was not kept. */
export interface CapturesIntake extends AsyncDisposable {
  /** Add to a file's end. @throws Fault `disk_full` */
  write(name: string, text: string): Promise<void>;
  /** They are this loop's now, in place of what it had. */
  keep(loopId: LoopId): Promise<void>;
}
