import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "@ralpher/agent";
import { type FaultCode, isFault, type Projects } from "@ralpher/contract";
import { createProjects } from "./projects.ts";

export interface Stage extends AsyncDisposable {
  /** Holds everything. */
  root: string;
  home: string;
  outputs: string;
  projects: Projects;
  /** A new folder with these files. */
  folder(files?: Record<string, string>): Promise<string>;
}

/** A SODA home and folders to look at. Must be closed. */
export async function openStage(now = "2026-05-04T12:00:00Z"): Promise<Stage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-project-")));
  const home = join(root, "soda");
  const outputs = join(root, "outputs");
  let folders = 0;
  return {
    root,
    home,
    outputs,
    projects: createProjects({ home, outputs, runProgram, now: () => new Date(now) }),
    async folder(files = {}) {
      const directory = join(root, `folder-${folders++}`);
      await mkdir(directory);
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(directory, name)), { recursive: true });
        await writeFile(join(directory, name), text);
      }
      return directory;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

export function git(directory: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...identity, ...args], { cwd: directory, encoding: "utf8", stdio: "pipe" });
}

/** The fault's data; anything else is thrown. */
export async function faultOf(code: FaultCode, work: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (isFault(error, code)) return { ...error.data };
  throw new Error(`expected ${code}`, { cause: error });
}
