import { posix } from "node:path";
import type { EventBody, LoopView, TaskConfig, Vault } from "@ralpher/contract";
import type { Execution } from "../execution.ts";
import { requireLook, requireVault } from "./requires.ts";

/**
 * Put what changed into git, on the branch that is checked out there, for all to see: a vault is worked in as it is. What
 * steers, what asks, and other tasks' files are no part of it.
 */
export async function commitVault(execution: Execution, view: LoopView, message: string): Promise<EventBody[]> {
  const { workspaces } = execution;
  const { iteration } = view;
  const { vault } = await requireVault(execution, view);
  const { config, path } = requireLook(view);
  const made = await workspaces.commitFolder(vault.root, message, { except: await othersIn(vault, config, path) });
  switch (made.kind) {
    case "made":
      return [{ type: "loop.git.commit", iteration, commit: { iteration, ...made.commit } }];
    case "refused":
      return [{ type: "loop.notice", iteration, text: `It was not committed: ${made.why}` }];
    case "nothing":
      return [];
  }
}

async function othersIn(vault: Vault, config: TaskConfig, path: string | null): Promise<string[]> {
  const { needs_action_folder, logs_folder, state_file, log_file, stop_hook_file, reinject_prompt_file } = config;
  const open = await vault.listOpen(config);
  const all = [
    ...["/Control", needs_action_folder, logs_folder, posix.dirname(`/${state_file}`)],
    ...[log_file, stop_hook_file, reinject_prompt_file],
    ...open.map((entry) => entry.path).filter((other) => other !== path),
  ];
  // The root itself, where somebody keeps such a file there, would be all of it.
  return all.map((one) => one.replace(/^\/+/, "")).filter((one) => one !== "" && one !== ".");
}
