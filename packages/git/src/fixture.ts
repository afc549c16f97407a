import { setDefaultTimeout } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { OpenWorkspace, Workspaces } from "@ralpher/contract";
import { gitEnvironment } from "./git-environment.ts";
import type { RoomOptions } from "./room.ts";
import { createWorkspaces } from "./workspaces.ts";

// Every test starts dozens of processes, and the machine may be busy with others.
setDefaultTimeout(30_000);

/** A real repository with one commit on `main`, in a folder of its own, for tests. Dispose of it to remove all. */
export interface Fixture extends Disposable {
  /** Holds everything; `repository` and `root` are below it. */
  folder: string;
  repository: string;
  root: string;
  env: Record<string, string>;
  workspaces: Workspaces;
  /** Another process's view of the same folders. */
  again(options?: Partial<RoomOptions>): Workspaces;
  /** Git's output, trimmed, in the repository or another folder; throws when git fails. */
  git(args: string[], cwd?: string): string;
  write(path: string, text: string, cwd?: string): void;
  /** What `open` is asked for, unless said otherwise. */
  request(changes?: Partial<OpenWorkspace>): OpenWorkspace;
}

export function createFixture(options: { name?: string; files?: Record<string, string> } = {}): Fixture {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralpher-git-")));
  const repository = join(folder, options.name ?? "repository");
  const root = join(folder, "worktrees");
  const env = testEnvironment(folder);

  const git = (args: string[], cwd = repository): string => {
    const result = Bun.spawnSync(["git", ...args], { cwd, env, stdin: "ignore" });
    if (result.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr.toString()}`);
    return result.stdout.toString().trim();
  };
  const write = (path: string, text: string, cwd = repository): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  const again = (changes: Partial<RoomOptions> = {}) => createWorkspaces({ root, env, ...changes });

  mkdirSync(repository);
  git(["init", "--quiet", "--initial-branch=main"]);
  for (const [path, text] of Object.entries(options.files ?? { "a.txt": "a\n", "b.txt": "b\n" })) write(path, text);
  git(["add", "-A"]);
  git(["commit", "--quiet", "-m", "first"]);

  return {
    folder,
    repository,
    root,
    env,
    workspaces: again(),
    again,
    git,
    write,
    request: (changes) => ({
      key: "loop-1",
      directory: repository,
      isolation: "worktree",
      branch: "ralph/work",
      handleUncommitted: null,
      commitPrefix: "[Ralph]",
      ...changes,
    }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Nothing of the machine's own git settings. */
function testEnvironment(home: string): Record<string, string> {
  return {
    ...gitEnvironment(process.env),
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
}
