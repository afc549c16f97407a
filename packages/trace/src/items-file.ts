import {
  appendFileSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** A line of a JSONL file; `text` is null when it is not UTF-8. */
export interface FileLine {
  /** From 1. */
  number: number;
  text: string | null;
  bytes: Uint8Array;
}

/** Where the JSONL file of a checkout is. */
export function itemsFile(root: string): string {
  return join(root, ".trace", "issues.jsonl");
}

/** When the file was last written, in seconds with the rounding of Python's `st_mtime`; null when there is none. */
export function writtenAt(path: string): number | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  return Number(stat.mtimeNs / 1_000_000_000n) + 1e-9 * Number(stat.mtimeNs % 1_000_000_000n);
}

/** The file's lines without the empty ones. */
export function readLines(path: string): FileLine[] {
  const whole = readFileSync(path);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lines: FileLine[] = [];
  let number = 0;
  for (let from = 0; from < whole.length; ) {
    const end = whole.indexOf(10, from);
    const bytes = whole.subarray(from, end === -1 ? whole.length : end);
    from = end === -1 ? whole.length : end + 1;
    number++;
    let text: string | null = null;
    try {
      text = decoder.decode(bytes).trim();
    } catch {
      // Not UTF-8: it stays bytes.
    }
    if (text !== "") lines.push({ number, text, bytes });
  }
  return lines;
}

/**
 * Replace the file in one step, so that nobody ever reads half of it. The new one is written in another folder, so that
 * a `git add` at that moment does not meet a file that is gone at the next.
 */
export function prepareFile(path: string, text: string, elsewhere: string): { put(): void; drop(): void } {
  const target = existsSync(path) ? realpathSync(path) : path;
  const name = `issues.jsonl.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  const aside = join(elsewhere, name);
  writeFileSync(aside, text);
  return {
    put() {
      try {
        renameSync(aside, target);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
        const beside = join(dirname(target), name);
        writeFileSync(beside, text);
        renameSync(beside, target);
        rmSync(aside);
      }
    },
    drop: () => rmSync(aside, { force: true }),
  };
}

/** Where lines are kept that the file will not hold any more. */
export function rejectedFile(path: string): string {
  return join(dirname(path), "rejected.jsonl");
}

/** Keep lines as they are, each once. */
export function keepLines(path: string, lines: FileLine[]): void {
  const rejected = rejectedFile(path);
  const keyOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1").trim();
  const known = new Set(existsSync(rejected) ? readLines(rejected).map(({ bytes }) => keyOf(bytes)) : []);
  for (const { bytes } of lines) {
    const key = keyOf(bytes);
    if (known.has(key)) continue;
    known.add(key);
    appendFileSync(rejected, Buffer.concat([bytes, Buffer.from("\n")]));
  }
}
