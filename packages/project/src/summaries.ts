import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SodaProject } from "@ralpher/contract";
import { safeName } from "./safe-name.ts";
import { usable } from "./usable.ts";
import { createFile } from "./write-aside.ts";

/** Write a summary that replaces no other: one of the same name gets a number. Returns its absolute path. */
export async function writeSummary(project: SodaProject, name: string, text: string): Promise<string> {
  const folder = join(project.home, "summaries");
  const stem = safeName(name.replace(/\.md$/i, ""), "summary");
  return await usable(folder, write(folder, stem, text.endsWith("\n") ? text : `${text}\n`));
}

async function write(folder: string, stem: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let count = 1; ; count++) {
    const path = join(folder, `${stem}${count === 1 ? "" : `-${count}`}.md`);
    if (await createFile(path, text)) return path;
  }
}
