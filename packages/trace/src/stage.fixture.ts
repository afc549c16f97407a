import { setDefaultTimeout } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LineProblem, WorkItems } from "@ralpher/contract";
import { openWorkItems } from "./work-items.ts";

setDefaultTimeout(30_000);

/** Real repositories and a Trace home in a folder of their own. Dispose of it to remove all. */
export interface Stage extends Disposable {
  folder: string;
  home: string;
  /** The repository `app`, initialised for git only. */
  app: string;
  problems: LineProblem[];
  /** The work items as seen from a folder; closed with the stage. */
  items(directory?: string, home?: string, clock?: () => number): WorkItems;
  git(args: string[], cwd?: string): string;
  makeRepository(name: string): string;
  /** The JSONL file's text. */
  jsonl(root?: string): string;
  /** Write the JSONL file so that it is surely newer than whatever was noted. */
  writeJsonl(text: string | Uint8Array, root?: string): void;
}

export function createStage(): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralpher-trace-")));
  const home = join(folder, "home");
  const opened: WorkItems[] = [];
  const problems: LineProblem[] = [];
  let later = 10;
  const git = (args: string[], cwd = join(folder, "app")): string => {
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Test",
      GIT_AUTHOR_EMAIL: "test@localhost",
      GIT_COMMITTER_NAME: "Test",
      GIT_COMMITTER_EMAIL: "test@localhost",
    };
    const result = Bun.spawnSync(["git", ...args], { cwd, env, stdin: "ignore" });
    if (result.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr.toString()}`);
    return result.stdout.toString().trim();
  };
  const makeRepository = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    git(["init", "-q", "-b", "main"], path);
    return path;
  };
  const app = makeRepository("app");
  const fileOf = (root: string) => join(root, ".trace", "issues.jsonl");
  return {
    folder,
    home,
    app,
    problems,
    git,
    makeRepository,
    items(directory = app, ownHome = home, clock = Date.now) {
      const items = openWorkItems({ directory, home: ownHome, clock, onProblem: (problem) => problems.push(problem) });
      opened.push(items);
      return items;
    },
    jsonl: (root = app) => readFileSync(fileOf(root), "utf8"),
    writeJsonl(text, root = app) {
      mkdirSync(dirname(fileOf(root)), { recursive: true });
      writeFileSync(fileOf(root), text);
      const at = Date.now() / 1000 + later++;
      utimesSync(fileOf(root), at, at);
    },
    [Symbol.dispose]() {
      for (const items of opened) void items[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
