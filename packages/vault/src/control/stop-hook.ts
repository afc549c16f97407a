import { lstat, rm } from "node:fs/promises";
import { join, posix } from "node:path";
import { type ControlFile, Fault, isFault, type TaskConfig, toSecond, type VaultProblem } from "@ralpher/contract";
import { configFile } from "../config/config-keys.ts";
import { createFile } from "../files/write-aside.ts";
import { usable } from "../usable.ts";
import { fromRoot, requireWithin } from "../vault-path.ts";
import { readControl } from "./control-file.ts";
import { frontMatterText } from "./front-matter-text.ts";

/** Whatever lies there stops: a human who wants to stop must not fail by a typing error. */
export async function readStopHook(
  root: string,
  config: TaskConfig,
): Promise<(ControlFile & { problem: VaultProblem | null }) | null> {
  const path = await findStopHook(root, config);
  if (path === null) return null;
  const blank = { path, frontMatter: {}, content: "" };
  try {
    const read = await readControl(await requireWithin(root, path), path);
    return { ...(read?.file ?? blank), problem: read?.problem ?? null };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { ...blank, problem: { path, message: error.message } };
  }
}

/** Where there is one already, it stays. Its path. */
export async function writeStopHook(root: string, config: TaskConfig, reason: string, now: Date): Promise<string> {
  const there = await findStopHook(root, config);
  if (there !== null) return there;
  const path = fromRoot(config.stop_hook_file);
  await usable(path, createFile(await requireWithin(root, path), stopHookText(config, reason, now)));
  return path;
}

/** Both spellings. @throws Fault `vault_unusable`, also for a folder: who knows what is in it */
export async function removeStopHook(root: string, config: TaskConfig): Promise<void> {
  for (const path of spellings(config)) {
    const file = await requireInFolder(root, path);
    if ((await lstat(file).catch(() => null))?.isDirectory()) {
      throw new Fault("vault_unusable", { path, detail: "it is a folder: remove it by hand", isWithin: true });
    }
    await usable(path, rm(file, { force: true }));
  }
}

async function findStopHook(root: string, config: TaskConfig): Promise<string | null> {
  for (const path of spellings(config)) {
    if ((await lstat(await requireInFolder(root, path)).catch(() => null)) !== null) return path;
  }
  return null;
}

/** Where the hook itself would be, also one that is a symlink to anywhere: that stops, too. @throws Fault `vault_unusable` */
async function requireInFolder(root: string, path: string): Promise<string> {
  return join(await requireWithin(root, posix.dirname(path)), posix.basename(path));
}

/** Editors of notes make no files without an ending. */
export function spellings(config: Pick<TaskConfig, "stop_hook_file">): string[] {
  const path = fromRoot(config.stop_hook_file);
  return posix.extname(path) === "" ? [path, `${path}.md`] : [path];
}

function stopHookText(config: TaskConfig, reason: string, now: Date): string {
  const why = reason.trim();
  const [firstLine = ""] = why.split("\n");
  const front = { type: "stop_hook", created: toSecond(now), reason: firstLine === "" ? "manual" : firstLine };
  return `${frontMatterText(front)}
# Stop Autonomous Loop

## Reason for Stopping

${why === "" ? "Stopped by hand." : why}

## Current Status

The loop will stop gracefully after the current iteration completes.

## Next Steps

After stopping:
1. Review state file: \`${config.state_file}\`
2. Check logs: \`${config.log_file}\`
3. Decide next action:
   - Resume: Delete this file and restart loop
   - Modify: Update task and restart
   - Complete: Move task to ${fromRoot(config.done_folder)}/

---

**To resume**: Delete this file
**To abort**: Move task to ${fromRoot(config.rejected_folder)}/

What all this is set by: \`${configFile}\`
`;
}
