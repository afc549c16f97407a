import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import {
  type AgentBackend,
  type BackendConfig,
  type BackendType,
  type DirectoryReport,
  Fault,
  type HandleUncommitted,
  type LoopSettings,
  type Workspaces,
} from "@ralpher/contract";

/**
 * Can a loop with these settings start in its folder? Changes nothing.
 * @throws Fault for each kind of folder that cannot be worked in, and `uncommitted_changes` when nobody chose
 */
export async function requireStartable(
  workspaces: Workspaces,
  { directory, git }: Pick<LoopSettings, "directory" | "git">,
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
  if (report.kind !== "repository") throw new Fault(faultOf[report.kind], { directory });
  if (report.changedFiles.length > 0 && handleUncommitted === undefined) {
    throw new Fault("uncommitted_changes", { directory, changedFiles: report.changedFiles });
  }
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
    throw new Fault("agent_failed", { agent, detail: `${health.detail}. ${health.install}` });
}
