import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { type Guarded, startGuarded } from "../../process/guard.ts";

/**
 * Start Claude Code under guard, in the form in which the SDK wants its process.
 * @throws when the folder is not there, or no process can be had
 */
export function spawnGuarded(options: SpawnOptions): { guarded: Guarded; spawned: SpawnedProcess } {
  const { command, args, cwd = "/", env, signal } = options;
  const guarded = startGuarded({ argv: [command, ...args], cwd, env, hasInput: true });
  return { guarded, spawned: new GuardedProcess(guarded, signal) };
}

class GuardedProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  killed = false;
  exitCode: number | null = null;
  readonly #guarded: Guarded;

  constructor(guarded: Guarded, signal: AbortSignal) {
    super();
    this.#guarded = guarded;
    this.stdin = writableOf(guarded.stdin);
    this.stdout = Readable.from(guarded.stdout);
    const end = () => void this.kill();
    signal.addEventListener("abort", end, { once: true });
    void guarded.exited.then((code) => {
      signal.removeEventListener("abort", end);
      this.exitCode = code;
      this.emit("exit", code, null);
    });
  }

  /** Whatever the signal, the guard ends the whole tree: TERM first, KILL later. */
  kill(): boolean {
    this.killed = true;
    void this.#guarded.end();
    return true;
  }
}

function writableOf(sink: Guarded["stdin"]): Writable {
  const settle = async (work: () => unknown, done: (error?: Error | null) => void) => {
    try {
      await work();
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const writable = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      void settle(() => {
        sink.write(chunk);
        return sink.flush();
      }, done);
    },
    final(done) {
      void settle(() => sink.end(), done);
    },
  });
  // A program that is gone takes no input; that it is gone is told elsewhere.
  writable.on("error", () => {});
  return writable;
}
