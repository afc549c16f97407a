import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** How one process ended. `code` is null when it had to be ended: it ran out of time or wrote too much. */
export interface ProgramResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** It took longer than it may, for example because something waited for a person. */
  timedOut: boolean;
}

export interface ProgramCall {
  /** Absolute path of an existing folder. */
  cwd: string;
  env: Record<string, string>;
  /** What it reads from its standard input; without it there is none. */
  stdin?: string | undefined;
  /** Keep so many bytes of the output. The rest is read and dropped, or with `endAtLimit` not waited for. */
  maxBytes?: number | undefined;
  endAtLimit?: boolean | undefined;
  /** Others that want the processor go first. */
  givesWay?: boolean | undefined;
  /** One that runs longer is ended, with everything it started. */
  timeoutMs: number;
}

const defaultMaxBytes = 64 * 1024 * 1024;
const maxErrorBytes = 256 * 1024;
/** After it has exited, a child of it in the background may keep the pipes open; nobody waits longer for it. */
const graceMs = 1_000;

/**
 * Run a program to its end, whatever its exit code. Arguments are handed over as they are: no shell is involved.
 * @throws NotStarted when the operating system will not start it
 */
export async function runProgram(argv: string[], call: ProgramCall): Promise<ProgramResult> {
  const child = start(argv, call);
  if (call.givesWay) giveWay(child.pid);
  let timedOut = false;
  let ended = false;
  const end = () => {
    ended = true;
    endGroup(child.pid);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, call.timeoutMs);
  const enough = new AbortController();
  const stdout = collect(
    child.stdout,
    call.maxBytes ?? defaultMaxBytes,
    enough.signal,
    call.endAtLimit ? end : undefined,
  );
  const stderr = collect(child.stderr, maxErrorBytes, enough.signal);
  const code = await child.exited;
  clearTimeout(timer);
  const grace = setTimeout(() => enough.abort(), graceMs);
  const [out, err] = await Promise.all([stdout, stderr]);
  clearTimeout(grace);
  return { code: ended ? null : code, stdout: out, stderr: err, timedOut };
}

type Child = Bun.Subprocess<Uint8Array | "ignore", "pipe", "pipe">;

/** It is not there, may not be run, or its folder is not there; the cause says which. */
export class NotStarted extends Error {}

function start(argv: string[], { cwd, env, stdin }: ProgramCall): Child {
  try {
    return Bun.spawn(argv, {
      cwd,
      env,
      stdin: stdin === undefined ? "ignore" : new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
      // A session of its own: no terminal a passphrase could be asked on, Ctrl+C does not tear a commit apart, and the
      // whole group can be ended, hooks included.
      detached: true,
    });
  } catch (cause) {
    throw new NotStarted(`${argv[0]} could not be started`, { cause });
  }
}

const lowPriority = 10;

/**
 * Linux gives each session an equal share, whatever the priorities within (autogroup), and a program of ours is a session
 * of its own; elsewhere the priority counts. What cannot be set is no harm: then it takes its turn like all others.
 */
function giveWay(pid: number): void {
  try {
    setPriority(pid, lowPriority);
    writeFileSync(`/proc/${pid}/autogroup`, String(lowPriority));
  } catch {
    // It has ended already, or there is no such thing here.
  }
}

/** End a process group: first kindly, so that git removes its locks, then for good. */
function endGroup(pid: number): void {
  signal(pid, "SIGTERM");
  setTimeout(() => signal(pid, "SIGKILL"), 2_000).unref();
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // It is gone already.
  }
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  enough: AbortSignal,
  atLimit?: () => void,
): Promise<string> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  enough.addEventListener("abort", stop, { once: true });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (size >= maxBytes) continue;
    chunks.push(size + value.length > maxBytes ? value.subarray(0, maxBytes - size) : value);
    size += value.length;
    if (size >= maxBytes) atLimit?.();
  }
  enough.removeEventListener("abort", stop);
  return Buffer.concat(chunks).toString("utf8");
}
