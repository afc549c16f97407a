import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const pieceSize = 64 * 1024;
const lookEveryMs = 200;

export interface LogReading {
  /** Absolute. */
  path: string;
  /** Only the newest lines that suit; all of them when undefined. */
  lines?: number | undefined;
  suits: (line: string) => boolean;
  show: (line: string) => void;
  /** Go on with what is added until this aborts, also to a file that takes its place; null ends at its end. */
  follow: AbortSignal | null;
}

/** Read a log, line by line, never all of it in memory. One that is not there has no lines. */
export async function readLog({ path, lines, suits, show, follow }: LogReading): Promise<void> {
  let file = LogFile.open(path);
  try {
    const newest: string[] = [];
    for (const line of file?.takeLines({ isLast: follow === null }) ?? []) {
      if (!suits(line)) continue;
      if (lines === undefined) show(line);
      else if (newest.push(line) > lines) newest.shift();
    }
    for (const line of newest) show(line);
    while (follow !== null && !follow.aborted) {
      for (const line of file?.takeLines() ?? []) if (suits(line)) show(line);
      // What was written to the old one until it was moved away is read by now, or is at the next look.
      if (file === null || file.isReplaced(path)) {
        for (const line of file?.takeLines() ?? []) if (suits(line)) show(line);
        file?.close();
        file = LogFile.open(path);
        if (file !== null) continue;
      }
      await pause(follow);
    }
  } finally {
    file?.close();
  }
}

/** A log that grows at its end, and may be cut short or replaced. */
class LogFile {
  readonly #fd: number;
  #decoder = new StringDecoder("utf8");
  #at = 0;
  /** The line that is not whole yet. */
  #rest = "";

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Null when there is none. */
  static open(path: string): LogFile | null {
    try {
      return new LogFile(openSync(path, "r"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  /** The whole lines since the last time; with `isLast`, also one that does not end yet. */
  *takeLines({ isLast = false } = {}): Generator<string, void, void> {
    if (fstatSync(this.#fd).size < this.#at) this.#startOver();
    const piece = Buffer.alloc(pieceSize);
    for (;;) {
      const read = readSync(this.#fd, piece, 0, pieceSize, this.#at);
      if (read === 0) break;
      this.#at += read;
      const whole = (this.#rest + this.#decoder.write(piece.subarray(0, read))).split("\n");
      this.#rest = whole.pop() ?? "";
      yield* whole;
    }
    if (!isLast || this.#rest === "") return;
    yield this.#rest;
    this.#rest = "";
  }

  isReplaced(path: string): boolean {
    const there = statSync(path, { throwIfNoEntry: false });
    const ours = fstatSync(this.#fd);
    return there === undefined ? ours.nlink === 0 : there.ino !== ours.ino || there.dev !== ours.dev;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #startOver(): void {
    this.#at = 0;
    this.#rest = "";
    this.#decoder = new StringDecoder("utf8");
  }
}

async function pause(until: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lookEveryMs);
  until.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
