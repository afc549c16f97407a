/// <reference path="./shell-text.d.ts" />
import { closeSync } from "node:fs";
import guardScript from "./guard.sh" with { type: "text" };
import { createMark } from "./mark.ts";
import { endAll, findMarked } from "./marked.ts";

export interface GuardedOptions {
  /** The program and its arguments, passed on untouched. */
  argv: readonly [string, ...string[]];
  /** Where it runs: absolute path. */
  cwd: string;
  /** Its whole environment; the mark is added. */
  env: Record<string, string | undefined>;
  /** Its standard input is written to; absent: it is empty. */
  hasInput?: boolean;
}

/** An agent's program under guard. */
export interface Guarded {
  /** What every process of it carries as RALPHER_AGENT_MARK. */
  readonly mark: string;
  /** The process group that the program and its plain children are in. */
  readonly group: number;
  /** The program's standard input; ended already when it is to have none. */
  readonly stdin: Bun.FileSink;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** Resolves with the exit code (128 + n for signal n) when the program has ended and nothing of it is left. */
  readonly exited: Promise<number>;
  /** End the program and everything it started. Resolves when nothing is left. Idempotent. */
  end(): Promise<void>;
}

/**
 * Start an agent's program so that it cannot outlive this process, even if that is killed: a guard in a session of its
 * own watches both, and ends the program's whole tree when either is over. A program that cannot be started shows as
 * exit code 126 or 127.
 */
export function startGuarded({ argv, cwd, env, hasInput = false }: GuardedOptions): Guarded {
  const mark = createMark();
  const guard = Bun.spawn(["sh", "-c", guardScript, "ralpher-guard", mark, ...argv], {
    cwd,
    env,
    // A session of its own: a Ctrl+C in the terminal is for Ralpher, which then ends its agents in good order.
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  if (!hasInput) void guard.stdin.end();
  const lifeline = createLifeline(guard.stdio[3]);
  const exited = guard.exited.then(async (code) => {
    lifeline.cut();
    // A guard that was killed has cleaned up nothing.
    if (guard.signalCode !== null) await endAll(() => findMarked((other) => other === mark));
    return code;
  });
  return {
    mark,
    group: guard.pid,
    stdin: guard.stdin,
    stdout: guard.stdout,
    stderr: guard.stderr,
    exited,
    async end() {
      lifeline.cut();
      await exited;
    },
  };
}

/** Our end of the guard's descriptor 3. Cut once only: its number may be another file's by then. */
function createLifeline(fd: unknown) {
  if (typeof fd !== "number") throw new Error("the guard has no lifeline");
  let isCut = false;
  return {
    cut() {
      if (!isCut) closeSync(fd);
      isCut = true;
    },
  };
}
