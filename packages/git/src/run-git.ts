import { existsSync } from "node:fs";
import { Fault } from "@ralpher/contract";
import { gitEnvironment } from "./git-environment.ts";
import { gitFault } from "./git-fault.ts";
import { NotStarted, type ProgramResult, runProgram } from "./run-program.ts";

/** How one git process ended. */
export type GitResult = ProgramResult;

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
  /** Others that want the processor go first. */
  givesWay?: boolean;
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

/** Settings that hold for every call, whatever the user's configuration says. */
const always = [
  "core.quotePath=false",
  "color.ui=false",
  // Warnings about line endings would hide the ones that matter.
  "core.safecrlf=false",
  "submodule.recurse=false",
  // What we hand over is UTF-8, whatever the user's editor writes.
  "i18n.commitEncoding=UTF-8",
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
    const env = { ...environment, ...call.env };
    try {
      return await runProgram([git, ...always, ...config, ...args], { timeoutMs, ...call, env });
    } catch (cause) {
      if (!(cause instanceof NotStarted)) throw cause;
      // The operating system says the same of a missing program and a missing folder.
      if (!existsSync(call.cwd)) throw new Fault("directory_missing", { directory: call.cwd }, { cause });
      throw new Fault("git_missing", {}, { cause });
    }
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
