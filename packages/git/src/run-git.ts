import { existsSync } from "node:fs";
import { Fault } from "@ralpher/contract";
import { gitEnvironment } from "./git-environment.ts";
import { gitFault } from "./git-fault.ts";

/** How one git process ended. `code` is null when it had to be ended: it ran out of time or wrote too much. */
export interface GitResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** It took longer than it may, for example because something waited for a person. */
  timedOut: boolean;
}

interface GitCall {
  /** Absolute path of an existing folder. */
  cwd: string;
  /** What git reads from its standard input; without it there is none. */
  stdin?: string;
  env?: Record<string, string>;
  /** Further settings for this call, each `name=value`. */
  config?: readonly string[];
  /** Keep so many bytes of the output. The rest is read and dropped, or with `endAtLimit` not waited for. */
  maxBytes?: number;
  endAtLimit?: boolean;
  /** For a command that may take longer than others. */
  timeoutMs?: number;
}

/** The git command line. Arguments are handed over as they are: no shell is involved. */
export interface Git {
  /** Run to the end, whatever the exit code. @throws Fault `git_missing`, `directory_missing` */
  run(args: readonly string[], call: GitCall): Promise<GitResult>;
  /** The standard output of a command that must succeed. @throws Fault `git_failed`, `disk_full` and those of `run` */
  output(args: readonly string[], call: GitCall): Promise<string>;
}

export interface GitOptions {
  /** Path of git, or a name to look up on PATH. */
  git?: string | undefined;
  env?: Record<string, string | undefined> | undefined;
  /** A git that runs longer is ended, with everything it started. */
  timeoutMs?: number | undefined;
}

const tenMinutesMs = 10 * 60_000;
const defaultMaxBytes = 64 * 1024 * 1024;
const maxErrorBytes = 256 * 1024;
/** After git has exited, a hook's child in the background may keep the pipes open; nobody waits longer for it. */
const graceMs = 1_000;

/** Settings that hold for every call, whatever the user's configuration says. */
const always = [
  "core.quotePath=false",
  "color.ui=false",
  // Warnings about line endings would hide the ones that matter.
  "core.safecrlf=false",
  "submodule.recurse=false",
  // A program that a repository's own configuration names; looking at a folder must not run it.
  "core.fsmonitor=false",
].flatMap((setting) => ["-c", setting]);

/** A runner of git processes. Creating it starts nothing. */
export function createGit(options: GitOptions = {}): Git {
  const git = options.git ?? "git";
  const environment = gitEnvironment(options.env ?? process.env);
  const timeoutMs = options.timeoutMs ?? tenMinutesMs;

  const run = async (args: readonly string[], call: GitCall): Promise<GitResult> => {
    const config = (call.config ?? []).flatMap((setting) => ["-c", setting]);
    const child = start([git, ...always, ...config, ...args], call, { ...environment, ...call.env });
    let timedOut = false;
    let ended = false;
    const end = () => {
      ended = true;
      endGroup(child.pid);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, call.timeoutMs ?? timeoutMs);
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
  };

  const output = async (args: readonly string[], call: GitCall): Promise<string> => {
    const result = await run(args, call);
    if (result.code !== 0 && !(result.code === null && call.endAtLimit && !result.timedOut)) {
      throw gitFault(args, result, call.cwd);
    }
    return result.stdout;
  };

  return { run, output };
}

type Child = Bun.Subprocess<Uint8Array | "ignore", "pipe", "pipe">;

function start(argv: string[], call: GitCall, env: Record<string, string>): Child {
  try {
    return Bun.spawn(argv, {
      cwd: call.cwd,
      env,
      stdin: call.stdin === undefined ? "ignore" : new TextEncoder().encode(call.stdin),
      stdout: "pipe",
      stderr: "pipe",
      // A session of its own: no terminal a passphrase could be asked on, Ctrl+C does not tear a commit apart, and the
      // whole group can be ended, hooks included.
      detached: true,
    });
  } catch (cause) {
    // The operating system says the same of a missing program and a missing folder.
    if (!existsSync(call.cwd)) throw new Fault("directory_missing", { directory: call.cwd }, { cause });
    throw new Fault("git_missing", {}, { cause });
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
