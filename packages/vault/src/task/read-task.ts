import { Fault, type TaskFile } from "@ralpher/contract";
import { readText, type TextFile } from "../files/read-text.ts";
import { usable, usableTask } from "../usable.ts";
import { findWithin, fromRoot, requireWithin } from "../vault-path.ts";
import { isEmpty, toTaskFile } from "./parse-task.ts";

const tries = 4;
const againMs = 25;

/** @throws Fault `task_file_unusable` */
export async function readTask(root: string, path: string): Promise<TaskFile> {
  const file = await requireTaskFile(root, path);
  for (let tried = 1; ; tried++) {
    const found = await requireText(file, path);
    const task = toTaskFile(path, found);
    if (!isEmpty(found.text)) return task;
    if (tried === tries) throw new Fault("task_file_unusable", { path, detail: "it is empty" });
    // Some editors empty the file before they write it.
    await Bun.sleep(againMs);
  }
}

/** Where it is on disk. @throws Fault `task_file_unusable` when that is out of the vault */
export async function requireTaskFile(root: string, path: string): Promise<string> {
  const file = await usableTask(path, findWithin(root, path));
  if (file === null) throw new Fault("task_file_unusable", { path, detail: "it leads out of the vault" });
  return file;
}

async function requireText(file: string, path: string): Promise<TextFile> {
  for (let tried = 1; ; tried++) {
    const found = await usableTask(path, readText(file));
    if (found !== null && "why" in found) throw new Fault("task_file_unusable", { path, detail: found.why });
    if (found !== null) return found;
    if (tried === tries) throw new Fault("task_file_unusable", { path, detail: "there is no such file" });
    // Some editors rename the old file away before they write the new one.
    await Bun.sleep(againMs);
  }
}

/** The text of any file in the vault; null when there is none, or it is no text. @throws Fault `vault_unusable` */
export async function readVaultText(root: string, given: string): Promise<string | null> {
  const path = fromRoot(given);
  const found = await usable(path, readText(await requireWithin(root, path)));
  return found === null || "why" in found ? null : found.text;
}
