import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Learning, SodaProject } from "@ralpher/contract";
import { mergeLearnings } from "./learnings.ts";
import { takeLock } from "./lock.ts";
import { ifMissing, usable } from "./usable.ts";
import { replaceFile } from "./write-aside.ts";

/** Every ORIENT reads all of it, so a larger one costs more than it gives. */
const largeBytes = 50 * 1024;

const pathOf = (project: SodaProject) => join(project.home, "memory.md");

/** Empty when there is none. */
export async function readMemory(project: SodaProject): Promise<string> {
  const path = pathOf(project);
  return await usable(path, readFile(path, "utf8").catch(ifMissing("")));
}

/** Returns warnings. */
export async function writeMemory(
  project: SodaProject,
  text: string,
  { replace = false }: { replace?: boolean | undefined } = {},
): Promise<string[]> {
  return await change(project, (before) => (replace ? text : atEnd(before, text)));
}

/** Returns what was added, as it now stands there, and warnings. */
export async function learn(
  project: SodaProject,
  learnings: Learning[],
  day: string,
): Promise<{ added: string[]; warnings: string[] }> {
  let added: string[] = [];
  const warnings = await change(project, (before) => {
    const merged = mergeLearnings(before, learnings, day);
    added = merged.added;
    return merged.text;
  });
  return { added, warnings };
}

/** One writer at a time, in whatever process. */
async function change(project: SodaProject, make: (before: string) => string): Promise<string[]> {
  const path = pathOf(project);
  return await usable(path, changeFile(path, project, make));
}

async function changeFile(path: string, project: SodaProject, make: (before: string) => string): Promise<string[]> {
  await mkdir(project.home, { recursive: true, mode: 0o700 });
  using _ = await takeLock(`${path}.lock`);
  const before = await readMemory(project);
  const text = make(before);
  if (text !== before) await replaceFile(path, text);
  const bytes = Buffer.byteLength(text);
  if (bytes <= largeBytes) return [];
  return [
    `${path} has ${Math.ceil(bytes / 1024)} KB, more than 50 KB: shorten it, for every iteration reads it whole.`,
  ];
}

function atEnd(before: string, text: string): string {
  if (text === "") return before;
  const lineEnd = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${before}${lineEnd}${text}${text.endsWith("\n") ? "" : "\n"}`;
}
