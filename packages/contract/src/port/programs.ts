export interface ProgramRequest {
  /** The program and its arguments, passed on untouched: no shell is involved. */
  command: readonly [string, ...string[]];
  /** Where it runs: absolute path. */
  directory: string;
  /** Added to this process's own environment; undefined takes a variable out. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** One that runs longer is ended, with everything it started. */
  timeoutMs: number;
  /** Ends it, with everything it started. */
  signal: AbortSignal;
  /** Told what it prints, in pieces. */
  onOutput?: ((text: string) => void) | undefined;
  /** So many bytes of the end of its output are kept. Default: 64 KiB. */
  keepBytes?: number | undefined;
}

export interface ProgramOutcome {
  /** 128 + n when signal n ended it, 127 when it is not there; null when it was ended by the time limit or an abort. */
  exitCode: number | null;
  /** The signal that ended it, by whomever; null when it ended by itself. */
  signal: string | null;
  timedOut: boolean;
  /** Both outputs in the order they were written, or the end of them. */
  output: string;
  durationMs: number;
}

/**
 * Run a program to its end, however it ends. Nothing of it outlives that, or this process.
 * @throws Fault `directory_missing`
 */
export type RunProgram = (request: ProgramRequest) => Promise<ProgramOutcome>;
