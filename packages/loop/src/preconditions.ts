import { readdir, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import {
  type AgentBackend,
  type BackendConfig,
  type BackendType,
  type DirectoryReport,
  Fault,
  fullStop,
  type HandleUncommitted,
  isFault,
  type LoopSettings,
  type LoopView,
  type Projects,
  type SodaSettings,
  type Workspace,
  type Workspaces,
} from "@ralpher/contract";

/**
 * Can a loop with these settings start in its folder? Changes nothing.
 * @throws Fault for each kind of folder that cannot be worked in, and `uncommitted_changes` when nobody chose
 */
export async function requireStartable(
  workspaces: Workspaces,
  { directory, git, strategy }: Pick<LoopSettings, "directory" | "git" | "strategy">,
  handleUncommitted: HandleUncommitted | undefined,
): Promise<void> {
  if (!isAbsolute(directory)) {
    throw new Fault("invalid_input", {
      what: "loop",
      issues: [{ path: "directory", message: "the path is not absolute" }],
    });
  }
  if (!git.enabled) {
    await requireDirectory(directory);
    return;
  }
  const report = await workspaces.inspect(directory);
  if (report.kind !== "repository") {
    if (strategy.type !== "soda" || !layable.has(report.kind)) throw new Fault(faultOf[report.kind], { directory });
    // SODA lays the ground itself; what lies there already is somebody's, and no part of the work before they say so.
    const own = new Set([".git", ...ownFiles(directory, directory, strategy)]);
    const changedFiles = (await readdir(directory)).filter((name) => !own.has(name));
    if (changedFiles.length > 0 && handleUncommitted === undefined) {
      throw new Fault("uncommitted_changes", { directory, changedFiles });
    }
    return;
  }
  const own = strategy.type === "soda" ? ownFiles(directory, report.root, strategy) : [];
  const ownFromTop = new Set(own.map((path) => relative(report.root, join(directory, path))));
  const changedFiles = report.changedFiles.filter((file) => !ownFromTop.has(file));
  if (changedFiles.length > 0 && handleUncommitted === undefined) {
    throw new Fault("uncommitted_changes", { directory, changedFiles });
  }
}

const layable = new Set<DirectoryReport["kind"]>(["not_a_repository", "no_commits"]);

/** Files that a SODA run reads or brings along, from the loop's folder: nobody need commit them first. */
export function ownFiles(directory: string, top: string, { spec }: Pick<SodaSettings, "spec">): string[] {
  // A spec that is not meant this time lies there for another run.
  const specs = [resolve(directory, spec), join(directory, "Sodafile")];
  const all = [...specs, join(directory, ".soda-id"), join(top, ".trace", "issues.jsonl")];
  return all.filter((path) => !relative(top, path).startsWith("..")).map((path) => relative(directory, path));
}

/** In place: is the checkout on another branch than the loop's, and so what lies there the user's? */
export async function hasLeftBranch(workspaces: Workspaces, workspace: Workspace): Promise<boolean> {
  if (workspace.kind !== "checkout") return false;
  const report = await workspaces.inspect(workspace.repository);
  return report.kind === "repository" && report.branch !== workspace.workingBranch;
}

/** Can the loop merge into this branch? @throws Fault `invalid_input` */
export async function requireTarget(
  workspaces: Workspaces,
  { workspace }: LoopView,
  target: string | undefined,
): Promise<void> {
  if (target === undefined || workspace === null || workspace.kind === "plain") return;
  const { targetHead } = await workspaces.facts({ ...workspace, originalBranch: target });
  if (targetHead !== null) return;
  const message = `there is no branch ${target} in ${workspace.repository}`;
  throw new Fault("invalid_input", { what: "loop", issues: [{ path: "target", message }] });
}

/** Is there the base it names, and can its test command be run? @throws Fault `invalid_input` */
export async function requireSodaSettings(
  { workspaces, projects }: { workspaces: Workspaces; projects: Projects },
  directory: string,
  { base, test }: SodaSettings,
): Promise<void> {
  if (test !== undefined) {
    await projects.checkTestCommand(test).catch((error) => {
      throw isFault(error, "test_command_unusable") ? wrongStrategy("test", error.data.detail) : error;
    });
  }
  if (base === undefined) return;
  // A folder without commits gets a first one, on a branch that is nearly always called so.
  if (layable.has((await workspaces.inspect(directory)).kind)) {
    if (base === "main" || base === "master") return;
    throw wrongStrategy("base", `there is no branch ${base} in ${directory}, for nothing was committed there yet`);
  }
  await workspaces.baseBranch(directory, base).catch((error) => {
    throw isFault(error, "branch_missing")
      ? wrongStrategy("base", `there is no branch ${base} in ${directory}`)
      : error;
  });
}

function wrongStrategy(setting: "base" | "test", message: string): Fault {
  return new Fault("invalid_input", { what: "loop", issues: [{ path: `strategy.${setting}`, message }] });
}

const faultOf = {
  missing: "directory_missing",
  not_a_repository: "not_a_repository",
  bare: "bare_repository",
  no_commits: "no_commits",
  detached: "detached_head",
} as const satisfies Record<Exclude<DirectoryReport["kind"], "repository">, string>;

/** @throws Fault `directory_missing` */
export async function requireDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (found === null || !found.isDirectory()) throw new Fault("directory_missing", { directory });
}

/** Is the agent there? One that is started elsewhere is asked when it is needed. @throws Fault `agent_missing`, … */
export async function requireAgent(backends: Map<BackendType, AgentBackend>, config: BackendConfig): Promise<void> {
  const { type, mode } = config;
  const backend = backends.get(type);
  if (backend === undefined) throw new Fault("unknown_backend", { backend: type, known: [...backends.keys()] });
  if (mode === "connect") return;
  const health = await backend.health(config);
  const agent = config.command?.[0] ?? type;
  if (health.state === "missing") throw new Fault("agent_missing", { agent, install: health.install });
  if (health.state !== "ready")
    throw new Fault("agent_failed", { agent, detail: `${fullStop(health.detail)} ${health.install}` });
}
