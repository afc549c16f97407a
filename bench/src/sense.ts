import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "@ralpher/agent";
import {
  type EventBody,
  foldAll,
  type GitWorkspace,
  LoopId,
  LoopSettings,
  type LoopView,
  type Projects,
  type StoredEvent,
} from "@ralpher/contract";
import { createWorkspaces } from "@ralpher/git";
import { type SenseParts, senseLoop } from "@ralpher/loop";
import { createProjects } from "@ralpher/project";
import { openWorkItems } from "@ralpher/trace";
import { fillItems } from "./fill-items.ts";
import { importHistory } from "./import-history.ts";
import { median, type Report } from "./report.ts";
import { openFolder } from "./repository.ts";

const runs = 25;

/**
 * SENSE over a large repository and a small one: everything that is read for it, side by side. Floor: the slowest of the
 * git commands it needs, alone, in the same run.
 */
export async function sense(): Promise<Report> {
  const small = await measure({ files: 10, commits: 5, milestone: 2, items: 10 });
  const large = await measure({ files: 50_000, commits: 10_000, milestone: 300, items: 1_000 });
  return {
    name: "sense",
    figures: [
      { name: "10 files", value: small.sense, unit: "ms", floor: small.slowest, bar: { most: 25, of: "value" } },
      {
        name: "50,000 files, 10,000 commits, 1,000 items",
        value: large.sense,
        unit: "ms",
        floor: large.slowest,
        bar: { most: 1.3, of: "ratio" },
      },
      { name: "the same, in all", value: large.sense, unit: "ms", bar: { most: 400, of: "value" } },
      ...large.commands.map(({ name, ms }) => ({ name: `git ${name}, alone`, value: ms, unit: "ms" as const })),
      { name: "work items, alone", value: large.items, unit: "ms" },
      { name: "has anything changed?", value: large.stamp, unit: "ms" },
    ],
  };
}

interface Stage extends SenseParts {
  workspace: GitWorkspace;
  traceHome: string;
  root: string;
  view: LoopView;
}

/** SENSE as a loop does it. */
async function senseOnce(stage: Stage): Promise<void> {
  const { claims } = await senseLoop(stage, stage.view, 1, new Date());
  const broken = Object.values(claims).find((part) => typeof part === "object" && part !== null && "error" in part);
  if (broken !== undefined) throw new Error(JSON.stringify(broken));
}

/** A loop at its first SENSE. */
async function viewOf(projects: Projects, workspace: GitWorkspace, root: string): Promise<LoopView> {
  const loopId = LoopId.parse(crypto.randomUUID());
  const at = new Date().toISOString();
  const directory = workspace.repository;
  const spec = await projects.readSpec(join(directory, "Sodafile"));
  const settings = LoopSettings.parse({ name: "bench", directory, prompt: spec.text, strategy: { type: "soda" } });
  const { project } = await projects.bootstrap(directory);
  const bodies: EventBody[] = [
    { type: "loop.created", config: { ...settings, id: loopId, createdAt: at, updatedAt: at } },
    { type: "loop.bootstrapped", project, notes: [] },
    { type: "loop.spec", spec },
    { type: "loop.workspace.ready", workspace },
    { type: "loop.milestone", root: { id: root, title: "bench" } },
  ];
  const view = foldAll(
    null,
    bodies.map((body, index) => ({ ...body, loopId, at, seq: index + 1 }) as StoredEvent),
  );
  if (view === null) throw new Error("a loop that was made has a view");
  return view;
}

async function readItems({ workspace, traceHome, root }: Stage): Promise<void> {
  await using items = openWorkItems({ home: traceHome, directory: workspace.directory });
  await items.snapshot(root);
}

interface Size {
  files: number;
  commits: number;
  /** So many of the commits are since the base. */
  milestone: number;
  items: number;
}

async function measure({ files, commits, milestone, items }: Size) {
  await using folder = await openFolder();
  const repository = join(folder.path, "repository");
  const traceHome = join(folder.path, "home");
  await importHistory(repository, { files, commits, branchAt: commits - milestone });
  const root = join(folder.path, "worktrees");
  const request = {
    ...{ key: "bench", directory: repository, isolation: "worktree" as const, branch: "soda/bench", base: "begin" },
    ...{ handleUncommitted: null, commitPrefix: "[Soda]" },
  };
  const opener = createWorkspaces({ root });
  const workspace = await opener.open(request);
  // The loop's branch gets the commits since its base.
  await git({ index: "", args: ["merge", "--quiet", "--ff-only", "main"] }, workspace.directory);
  await fillItems({ home: traceHome, directory: workspace.directory, items, root: "repository-000000" });
  // Git looks into files as young as its index; a loop's are that for the first second only.
  await Bun.sleep(1_100);
  await git({ index: "", args: ["update-index", "-q", "--refresh"] }, workspace.directory);

  const commands = await recordCommands(folder.path, root, workspace);
  await writeFile(join(repository, "Sodafile"), "# Bench\n\n- [ ] it is quick\n");
  const projects = createProjects({
    home: join(folder.path, "soda"),
    outputs: join(folder.path, "outputs"),
    runProgram,
  });
  const stage: Stage = {
    workspaces: opener,
    projects,
    openWorkItems: (directory) => openWorkItems({ home: traceHome, directory }),
    changesByAgents: () => [],
    workspace,
    traceHome,
    root: "repository-000000",
    view: await viewOf(projects, workspace, "repository-000000"),
  };
  const watcher = openWorkItems({ home: traceHome, directory: workspace.directory });
  const [whole, reading, stamps]: [number[], number[], number[]] = [[], [], []];
  const alone = commands.map((): number[] => []);
  // One more than counted, to warm the file system's cache; in turns, so that all meet the same machine.
  for (let run = 0; run <= runs; run++) {
    const times = [
      await time(() => senseOnce(stage)),
      await time(() => readItems(stage)),
      await time(async () => watcher.stamp()),
    ];
    for (const [at, command] of commands.entries()) {
      const ms = await time(() => git(command, workspace.directory));
      if (run > 0) alone[at]?.push(ms);
    }
    if (run === 0) continue;
    for (const [at, list] of [whole, reading, stamps].entries()) list.push(times[at] ?? Number.NaN);
  }
  await watcher[Symbol.asyncDispose]();
  const named = commands.map(({ args }, at) => ({ name: nameOf(args), ms: median(alone[at] ?? []) }));
  return {
    sense: median(whole),
    items: median(reading),
    stamp: median(stamps),
    commands: named,
    slowest: Math.max(...named.map(({ ms }) => ms)),
  };
}

interface Command {
  args: string[];
  /** The index that it was told to read; empty when that is the tree's own. */
  index: string;
}

/** The git commands that SENSE runs, word by word, written down by a git that passes them on. */
async function recordCommands(folder: string, root: string, workspace: GitWorkspace): Promise<Command[]> {
  const [log, program] = [join(folder, "commands"), join(folder, "recording-git")];
  // One write a command, since they run side by side.
  await writeFile(
    program,
    `#!/bin/sh\nline=$(printf '%s\\t' "$GIT_INDEX_FILE" "$@")\nprintf '%s\\n' "$line" >> '${log}'\nexec git "$@"\n`,
  );
  await chmod(program, 0o755);
  await createWorkspaces({ root, git: program }).codeState(workspace);
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
  await rm(log);
  return lines.map((line) => {
    const [index = "", ...args] = line.split("\t").slice(0, -1);
    return { index, args };
  });
}

/** The first word that is no setting. */
function nameOf(args: string[]): string {
  return args.find((arg, at) => arg !== "-c" && args[at - 1] !== "-c") ?? "";
}

async function git({ args, index }: Command, cwd: string): Promise<void> {
  const run = Bun.spawn(["git", ...args], {
    cwd,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", ...(index === "" ? {} : { GIT_INDEX_FILE: index }) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  await new Response(run.stdout).arrayBuffer();
  if ((await run.exited) !== 0) throw new Error(`git ${args.join(" ")} ended with ${run.exitCode}`);
}

async function time(task: () => Promise<void> | Promise<string>): Promise<number> {
  const began = performance.now();
  await task();
  return performance.now() - began;
}
