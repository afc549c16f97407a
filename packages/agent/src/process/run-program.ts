import { stat } from "node:fs/promises";
import { constants } from "node:os";
import { Fault, type ProgramOutcome, type ProgramRequest, type RunProgram } from "@ralpher/contract";
import { createRedactor } from "../capture/redact.ts";
import { type Guarded, startGuarded } from "./guard.ts";
import { createTail, type Tail } from "./tail.ts";

const defaultKeepBytes = 64 * 1024;
/** After it has ended, something that hid from the guard may hold the pipe open; nobody waits longer for it. */
const graceMs = 1_000;
/** A timer cannot wait longer. */
const longestMs = 2 ** 31 - 1;

/** The RunProgram port, with the secrets of this environment kept out of what programs print. */
export function createRunProgram(environment: Readonly<Record<string, string | undefined>>): RunProgram {
  const redactor = createRedactor(environment);
  return async (request) => {
    const outcome = await runProgram(request);
    return { ...outcome, output: redactor.text(outcome.output) };
  };
}

/** The RunProgram port: every program runs under guard, as agents do. */
export async function runProgram(request: ProgramRequest): Promise<ProgramOutcome> {
  const { timeoutMs, signal, keepBytes = defaultKeepBytes } = request;
  const began = performance.now();
  const program = await start(request);
  let isEnded = false;
  let timedOut = false;
  const end = () => {
    isEnded = true;
    void program.end();
  };
  const timer = setTimeout(
    () => {
      timedOut = true;
      end();
    },
    Math.min(timeoutMs, longestMs),
  );
  signal.addEventListener("abort", end, { once: true });
  // Aborted before there was anything to end.
  if (signal.aborted) end();

  const tail = createTail(keepBytes);
  const enough = new AbortController();
  let grace: Timer | undefined;
  const exited = program.exited.then((code) => {
    clearTimeout(timer);
    grace = setTimeout(() => enough.abort(), graceMs);
    return code;
  });
  try {
    const [code] = await Promise.all([
      exited,
      hear(program.stdout, tail, enough.signal, request.onOutput),
      // A guard says nothing; what it cannot help saying must not fill the pipe.
      hear(program.stderr, createTail(0), enough.signal),
    ]);
    return {
      exitCode: isEnded ? null : code,
      signal: signalOf(code),
      timedOut,
      output: tail.text(),
      durationMs: Math.round(performance.now() - began),
    };
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal.removeEventListener("abort", end);
    // Whoever listened may have thrown.
    await program.end();
  }
}

async function start({ command, directory, env }: ProgramRequest): Promise<Guarded> {
  const found = await stat(directory).catch(() => null);
  // The operating system would say that the program is not there.
  if (found?.isDirectory() !== true) throw new Fault("directory_missing", { directory });
  return startGuarded({
    // Both outputs in the order they were written.
    argv: ["sh", "-c", 'exec "$@" 2>&1', "sh", ...command],
    cwd: directory,
    env: { ...process.env, ...env },
  });
}

/** Read to the end, or until it is enough. @throws what `onOutput` throws */
async function hear(
  stream: ReadableStream<Uint8Array>,
  tail: Tail,
  enough: AbortSignal,
  onOutput: (text: string) => void = () => {},
): Promise<void> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  enough.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      tail.add(value);
      const text = decoder.decode(value, { stream: true });
      if (text !== "") onOutput(text);
    }
    const rest = decoder.decode();
    if (rest !== "") onOutput(rest);
  } finally {
    enough.removeEventListener("abort", stop);
  }
}

/** Shells tell of a signal by a code above 128. */
function signalOf(code: number): string | null {
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found?.[0] ?? null;
}
