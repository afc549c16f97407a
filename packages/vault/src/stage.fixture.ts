import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "@ralpher/agent";
import { type FaultCode, isFault, TaskConfig, type TaskState, type Vault, type Vaults } from "@ralpher/contract";
import { createVaults } from "./vaults.ts";

export interface Stage extends AsyncDisposable {
  /** Holds everything. */
  folder: string;
  vaults: Vaults;
  vault: Vault;
  config: TaskConfig;
  write(path: string, text: string | Uint8Array): Promise<void>;
  read(path: string): Promise<string>;
  /** Set the config's keys to this YAML. */
  configure(keys: string): Promise<TaskConfig>;
}

export const stageNow = new Date("2026-02-15T10:30:05.678Z");

/** A vault as `init` makes it, and the folder it lies in. Must be closed. */
export async function openStage(): Promise<Stage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ralpher-vault-")));
  const root = join(folder, "vault");
  const vaults = createVaults({ runProgram, version: "1.4.2", now: () => stageNow });
  await vaults.init(root);
  const vault = await vaults.open(root);
  const write = async (path: string, text: string | Uint8Array) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  return {
    folder,
    vaults,
    vault,
    config: TaskConfig.parse({}),
    write,
    read: (path) => readFile(join(root, path), "utf8"),
    async configure(keys) {
      const lines = keys.split("\n").map((line) => `  ${line}`);
      await write("/Control/autonomous_loop_config.yaml", `autonomous_loop:\n${lines.join("\n")}\n`);
      return await vault.readConfig();
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
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

/** The state of seed 003, as a loop of ours. */
export function seedState(changes: Partial<TaskState> = {}): TaskState {
  return {
    loop_id: "loop_20260215_103000",
    task_path: "/Specs/auth_feature/tasks.md",
    task_id: "auth_feature",
    started_at: "2026-02-15T10:30:00Z",
    last_updated: "2026-02-15T10:35:00Z",
    status: "running",
    counters: {
      iterations: 5,
      max_iterations: 100,
      consecutive_failures: 0,
      failure_threshold: 3,
      total_successes: 4,
      total_failures: 1,
    },
    current_state: {
      current_task: "1.2 Implement authentication logic",
      last_action: "write_code",
      last_result: "success",
      next_action: "run_tests",
    },
    history: [
      {
        iteration: 3,
        timestamp: "2026-02-15T10:30:20Z",
        action: "run_tests",
        result: "failure",
        error: "Test failed: authentication_test.ts",
        duration_seconds: 8.2,
      },
    ],
    checkpoints: {
      last_successful_state: {
        iteration: 5,
        task: "1.2 Implement authentication logic",
        timestamp: "2026-02-15T10:30:40Z",
      },
    },
    metadata: {
      config_file: "/Control/autonomous_loop_config.yaml",
      ralph_loop_version: "1.4.2",
      started_by: "human",
      can_resume: true,
      ralpher_loop: "0190-abc",
    },
    ...changes,
  };
}
