import { randomUUID } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@ralpher/contract";
import { hideFromGit } from "./hide-from-git.ts";
import { ifMissing, usable } from "./usable.ts";
import { createFile } from "./write-aside.ts";

const fileName = ".soda-id";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of the project in this folder; null when it has none. @throws Fault `soda_home_unusable`, `directory_missing` */
export async function findId(directory: string): Promise<string | null> {
  await requireDirectory(directory);
  const path = join(directory, fileName);
  const text = await usable(path, readFile(path, "utf8").catch(ifMissing(null)));
  if (text === null) return null;
  const id = text.trim();
  if (uuid.test(id)) return id.toLowerCase();
  const detail = "it holds no project id; put back the one it had, or remove the file and begin anew";
  throw new Fault("soda_home_unusable", { path, detail });
}

/** The id of the project in this folder, made when it has none. @throws as `findId` does */
export async function requireId(directory: string): Promise<{ id: string; made: boolean }> {
  const found = await findId(directory);
  // First, so that git does not see the file for a moment.
  await hideFromGit(directory, fileName);
  if (found !== null) return { id: found, made: false };
  const path = join(directory, fileName);
  const id = randomUUID();
  if (await usable(path, createFile(path, `${id}\n`))) return { id, made: true };
  // Somebody else was first; whoever removes it now as well wants to be told.
  return { id: (await findId(directory)) ?? id, made: false };
}

async function requireDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory() !== true) throw new Fault("directory_missing", { directory });
}
