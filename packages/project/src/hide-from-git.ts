import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findRepository } from "./git-folder.ts";
import { ifMissing, usable } from "./usable.ts";

/**
 * See to it that git never shows this file of a folder as a change, nor what is written aside for it, in the repository's own `info/exclude`, which no
 * commit carries to others. Idempotent; nothing to do outside of a repository. @throws Fault `soda_home_unusable`
 */
export async function hideFromGit(directory: string, name: string): Promise<void> {
  const place = await findRepository(directory);
  if (place === null) return;
  const path = join(place.common, "info", "exclude");
  const line = `${literal(["", ...(place.below === "" ? [] : [place.below]), name].join("/"))}*`;
  await usable(path, addLine(path, line));
}

async function addLine(path: string, line: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(ifMissing(""));
  if (text.split(/\r?\n/).includes(line)) return;
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}

/** The pattern that stands for these letters alone. */
function literal(path: string): string {
  return path.replace(/[\\*?[\]]/g, "\\$&");
}
