import { mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import type { TaskConfig } from "@ralpher/contract";
import { numbered } from "../files/write-aside.ts";
import { usable, usableTask } from "../usable.ts";
import { fromRoot, isWithin, requireWithin } from "../vault-path.ts";
import { belowFolder } from "./place.ts";
import { requireTaskFile } from "./read-task.ts";

/**
 * Its path below the specs folder stays: `/Specs/auth/tasks.md` goes to `/Done/auth/tasks.md`. The file alone is moved; a
 * folder that is empty then goes. @throws Fault `task_file_unusable`, `vault_unusable`
 */
export async function moveTask(
  root: string,
  config: TaskConfig,
  path: string,
  to: "done" | "rejected",
): Promise<string> {
  const folder = fromRoot(to === "done" ? config.done_folder : config.rejected_folder);
  const from = fromRoot(path);
  if (isWithin(folder, from)) return from;
  await requireTaskFile(root, from);
  const goal = posix.join(folder, belowFolder(config, from));
  const extension = posix.extname(goal);
  for (const name of numbered(goal.slice(0, goal.length - extension.length), extension)) {
    const place = await requireWithin(root, name);
    await usable(name, mkdir(dirname(place), { recursive: true }));
    if (!(await usable(name, claim(place)))) continue;
    try {
      // By the name it goes by, so that a link is moved and not what it leads to; in one step, so that no save is lost.
      await usableTask(from, rename(join(root, from), place));
    } catch (error) {
      await rm(place, { force: true });
      throw error;
    }
    await dropEmpty(root, config, posix.dirname(from));
    return name;
  }
  throw new Error("the names ran out");
}

/** Make an empty file of that name, which the task then takes the place of. False when the name is taken. */
async function claim(place: string): Promise<boolean> {
  try {
    await (await open(place, "wx")).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function dropEmpty(root: string, config: TaskConfig, folder: string): Promise<void> {
  const specs = fromRoot(config.specs_folder);
  if (folder === specs || !isWithin(specs, folder)) return;
  // One that is not empty stays.
  await rmdir(join(root, folder)).then(
    () => dropEmpty(root, config, posix.dirname(folder)),
    () => {},
  );
}
