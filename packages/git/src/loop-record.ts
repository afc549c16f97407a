import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type GitWorkspace, Workspace } from "@ralpher/contract";
import { findTop } from "./home.ts";
import type { Room } from "./room.ts";
import { readText } from "./tree.ts";

/**
 * What `open` decided for a key, written down before it acts (`<root>/<key>.json`), so that after a crash it goes on
 * with the same names. Only together with the ref `refs/ralpher/base/<key>` does it say that the branch was made.
 */
export async function writeRecord(room: Room, key: string, workspace: GitWorkspace): Promise<void> {
  const root = await room.root();
  await mkdir(root, { recursive: true });
  const temporary = join(root, `.${key}.json.tmp`);
  await writeFile(temporary, `${JSON.stringify(workspace, null, 2)}\n`);
  await rename(temporary, join(root, `${key}.json`));
}

/** The record of a key, or null when there is none that can be read. */
export async function findRecord(room: Room, key: string): Promise<GitWorkspace | null> {
  const text = await readText(join(await room.root(), `${key}.json`));
  if (text === null) return null;
  try {
    const { success, data } = Workspace.safeParse(JSON.parse(text));
    return success && data.kind !== "plain" ? data : null;
  } catch {
    return null;
  }
}

/** The key a workspace was opened with; null when it is in place and its record is gone. */
export async function findKey(room: Room, workspace: GitWorkspace): Promise<string | null> {
  if (workspace.kind === "worktree") {
    const top = await findTop(room, workspace);
    if (top !== null) return basename(top);
  }
  for (const file of await readdir(await room.root())) {
    if (!file.endsWith(".json") || file.startsWith(".")) continue;
    const key = file.slice(0, -".json".length);
    const record = await findRecord(room, key);
    if (record?.workingBranch === workspace.workingBranch && record.repository === workspace.repository) return key;
  }
  return null;
}

export async function removeRecord(room: Room, key: string): Promise<void> {
  await rm(join(await room.root(), `${key}.json`), { force: true });
}
