import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentType, CaptureHeader, CaptureRecord, SessionRequest } from "@ralpher/contract";
import { createRedactor, type Redact } from "./redact.ts";

const summaryLength = 120;
/** A disk that hangs must not hold up who waits for the agent. */
const slowDiskMs = 2000;

type Body<R> = R extends CaptureRecord ? Omit<R, "at"> : never;
/** A record without its time. */
export type CaptureBody = Body<Exclude<CaptureRecord, { type: "header" | "end" }>>;

export interface CaptureOptions {
  /** The folder that gets one file for each conversation: absolute path. Made when it is missing. */
  folder: string;
  agentType: AgentType;
  request: Pick<SessionRequest, "backend" | "model" | "directory" | "title" | "tools" | "role" | "env">;
}

/**
 * A conversation that is being written to a JSONL file of its own, which only ever grows. Nothing here throws or makes
 * anybody wait: what goes wrong is told by `trouble`. Whoever opened it closes it.
 */
export interface Capture {
  /** Its secrets are taken out. */
  write(record: CaptureBody): void;
  /** Resolves when what was said so far is written, or the disk is too slow. */
  written(): Promise<void>;
  /** Write the last record and wait until all of it is written. The path, or null when nothing could be. */
  close(end: Omit<Extract<CaptureRecord, { type: "end" }>, "type" | "at">): Promise<string | null>;
  /** Why it could not be written, once; null when it could, or when that was told already. */
  trouble(): string | null;
  readonly redact: Redact;
}

/** The file is made with the first prompt, which the header tells the beginning of. */
export function openCapture({ folder, agentType, request }: CaptureOptions): Capture {
  const id = crypto.randomUUID();
  const redact = createRedactor(process.env, request.env ?? {});
  let path: string | null = null;
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let failure: Error | null = null;
  let isTold = false;

  function add(record: CaptureRecord): void {
    if (failure !== null) return;
    waiting.push(`${JSON.stringify(redact(record))}\n`);
    // Those that come while one is being written go together.
    if (waiting.length === 1) writing = writing.then(flush);
  }

  async function flush(): Promise<void> {
    const lines = waiting.join("");
    waiting = [];
    if (path === null || failure !== null) return;
    try {
      await appendFile(path, lines, { mode: 0o600 });
    } catch (error) {
      failure = error as Error;
    }
  }

  async function written(): Promise<void> {
    const slow = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => slow.resolve(false), slowDiskMs);
    const isWritten = await Promise.race([writing.then(() => true), slow.promise]);
    clearTimeout(timer);
    if (!isWritten) failure ??= new Error("the disk does not answer");
  }

  function begin(prompt: string): void {
    const at = new Date().toISOString();
    path = join(folder, fileName(at, [agentType, request.role], id));
    // Whoever has an account on this machine need not read it.
    writing = mkdir(folder, { recursive: true, mode: 0o700 }).then(
      () => {},
      (error: Error) => {
        failure = error;
      },
    );
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
      title,
      promptSummary: summaryOf(prompt),
      ...(tools === undefined ? {} : { tools }),
    };
  }

  return {
    redact,
    write(record) {
      if (path === null && record.type === "prompt") begin(record.text);
      add({ ...record, at: new Date().toISOString() } as CaptureRecord);
    },
    written,
    async close(end) {
      if (path === null) return null;
      add({ type: "end", at: new Date().toISOString(), ...end });
      await written();
      return failure === null ? path : null;
    },
    trouble() {
      if (failure === null || isTold) return null;
      isTold = true;
      return `The conversation could not be captured in ${folder}: ${failure.message}`;
    },
  };
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
