import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentType, CaptureHeader, CaptureRecord, SessionRequest } from "@ralpher/contract";
import { createRedactor, type Redactor } from "./redact.ts";

const summaryLength = 120;
/** A disk that hangs must not hold up who waits for the agent. */
const slowDiskMs = 2000;
/** How much waits for a disk that is full, in characters. */
const mostWaiting = 16 * 1024 * 1024;

type Body<R> = R extends CaptureRecord ? Omit<R, "at"> : never;
/** A record without its time. */
export type CaptureBody = Body<Exclude<CaptureRecord, { type: "header" | "end" }>>;

export interface CaptureOptions {
  /** The folder that gets one file for each conversation: absolute path. Made when it is missing. */
  folder: string;
  agentType: AgentType;
  /** What the agents of the backend are given. */
  environment: Readonly<Record<string, string | undefined>>;
  request: Pick<SessionRequest, "backend" | "model" | "directory" | "title" | "tools" | "role" | "env">;
}

/**
 * A conversation that is being written to a JSONL file of its own, which only ever grows. Nothing here throws or makes
 * anybody wait: what goes wrong is told by `trouble`. Whoever opened it closes it.
 */
export interface Capture {
  /** Without the environment's secrets. */
  write(record: CaptureBody): void;
  /** Resolves when what was said so far is written, or the disk is too slow. */
  written(): Promise<void>;
  /** Write the last record and wait until all of it is written. The path, or null when some of it could not be. */
  close(end: Omit<Extract<CaptureRecord, { type: "end" }>, "type" | "at">): Promise<string | null>;
  /** What went wrong with the writing, once; null when nothing did, or when that was told already. */
  trouble(): string | null;
  readonly redactor: Redactor;
}

/** The file is made with the first prompt, which the header tells the beginning of. */
export function openCapture({ folder, agentType, environment, request }: CaptureOptions): Capture {
  const id = crypto.randomUUID();
  const redactor = createRedactor(process.env, environment, request.env ?? {});
  let path: string | null = null;
  /** Lines that are yet to be written; after a failure they wait for the next one, as far as there is room. */
  let waiting: string[] = [];
  let waitingBytes = 0;
  let isLineOpen = false;
  let isIncomplete = false;
  let writing: Promise<void> | null = null;
  let trouble: string | null = null;
  let isTold = false;

  function add(record: CaptureRecord): void {
    const line = lineOf(record);
    if (waitingBytes + line.length > mostWaiting) {
      isIncomplete = true;
      return;
    }
    waiting.push(line);
    waitingBytes += line.length;
    writing ??= flush();
  }

  async function flush(): Promise<void> {
    // Those that come together are written together.
    await Promise.resolve();
    while (waiting.length > 0 && path !== null) {
      const lines = waiting;
      waiting = [];
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // What a failed write left of a line is ended first, so that it spoils no other.
        await appendFile(path, (isLineOpen ? "\n" : "") + lines.join(""), { mode: 0o600 });
        waitingBytes -= lines.reduce((sum, line) => sum + line.length, 0);
        isLineOpen = false;
      } catch (error) {
        // Some of it may be written already; once too often is better than not at all.
        waiting = [...lines, ...waiting];
        isLineOpen = true;
        trouble = (error as Error).message;
        break;
      }
    }
    writing = null;
  }

  async function written(): Promise<void> {
    if (writing === null) return;
    const slow = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      trouble ??= "the disk does not answer";
      slow.resolve();
    }, slowDiskMs);
    await Promise.race([writing, slow.promise]);
    clearTimeout(timer);
  }

  function begin(prompt: string): void {
    const at = new Date().toISOString();
    path = join(folder, fileName(at, [agentType, request.role], id));
    add(headerOf(at, prompt));
  }

  function headerOf(at: string, prompt: string): CaptureHeader {
    const { role, backend, model, directory, title, tools } = request;
    return {
      type: "header",
      version: 1,
      at,
      id,
      agentType,
      ...(role === undefined ? {} : { role }),
      backend: backend.type,
      ...(model === undefined ? {} : { model }),
      directory,
      title: redactor.text(title),
      promptSummary: summaryOf(redactor.text(prompt.slice(0, 100 * summaryLength))),
      ...(tools === undefined ? {} : { tools }),
    };
  }

  return {
    redactor,
    write(record) {
      if (path === null && record.type === "prompt") begin(record.text);
      add({ ...withoutSecrets(record, redactor), at: new Date().toISOString() } as CaptureRecord);
    },
    written,
    async close(end) {
      if (path === null) return null;
      add({ type: "end", at: new Date().toISOString(), ...end });
      await written();
      return waiting.length > 0 || isIncomplete ? null : path;
    },
    trouble() {
      if (trouble === null || isTold) return null;
      isTold = true;
      return `The conversation could not be captured in ${folder}: ${trouble}`;
    },
  };
}

/** Of what did not come through a redacting session: prompts, and the answers that programs get as they were. */
function withoutSecrets(record: CaptureBody, { text, value }: Redactor): CaptureBody {
  if (record.type === "prompt" || record.type === "notice") return { ...record, text: text(record.text) };
  if (record.type !== "outcome") return record;
  return {
    ...record,
    ...(record.text === undefined ? {} : { text: text(record.text) }),
    ...(record.structured === undefined ? {} : { structured: value(record.structured) }),
  };
}

/** One line for every reader: some take U+2028 and U+2029 for ends of lines too. */
function lineOf(record: CaptureRecord): string {
  return `${JSON.stringify(record).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
}

/** Sorts by time; safe on every file system, whatever the role is called. */
function fileName(at: string, words: (string | undefined)[], id: string): string {
  const name = [at.replaceAll(":", "-"), ...words.filter((word) => word !== undefined), id.slice(0, 8)].join("_");
  return `${name.replace(/[^\w.-]/g, "-").slice(0, 120)}.jsonl`;
}

function summaryOf(prompt: string): string {
  const line = prompt
    .slice(0, summaryLength * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= summaryLength ? line : `${line.slice(0, summaryLength - 1)}…`;
}
