import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { Fault, type HandOff, type HandOffChoice, type TaskConfig, toSecond } from "@ralpher/contract";
import { isScalar } from "yaml";

import { changeFile } from "../files/change-file.ts";
import { readText } from "../files/read-text.ts";
import { createUnder, numbered } from "../files/write-aside.ts";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { lineEndOf } from "../markdown/lines.ts";
import { printable } from "../printable.ts";
import { idOf } from "../task/parse-task.ts";
import { ifMissing, usable } from "../usable.ts";
import { fromRoot, requireWithin, toVaultPath } from "../vault-path.ts";
import { readChoices } from "./choices.ts";
import { handOffText } from "./hand-off-text.ts";

/** `Needs_Action/2026-02-15_error_report_auth_feature.md`, with a number where that is taken. Idempotent. */
export async function writeHandOff(root: string, config: TaskConfig, handOff: HandOff): Promise<string> {
  const { kind, iteration, loopId, taskPath, now } = handOff;
  const folder = fromRoot(config.needs_action_folder);
  const asked = { type: kind, loop_id: loopId, iteration, task: taskPath };
  // One that was answered stays as it was answered; what is asked now is asked anew.
  const isAsked = (data: Record<string, unknown>, text: string) =>
    data.status !== "closed" && isSaid(data, asked) && readChoices(text).length === 0;
  const open = await findWritten(root, folder, isAsked);
  return open ?? (await writeDated(root, folder, { now, name: `${kind}_${nameOf(taskPath)}` }, handOffText(handOff)));
}

/** The Markdown file of a folder with such front matter, so that a crash after it was written does not write it twice. */
export async function findWritten(
  root: string,
  folder: string,
  isIt: (data: Record<string, unknown>, text: string) => boolean,
): Promise<string | null> {
  const real = await requireWithin(root, folder);
  const names = await usable(folder, readdir(real).catch(ifMissing([])));
  // The newest day first.
  for (const name of names
    .filter((other) => /^[^.].*\.md$/i.test(other))
    .toSorted()
    .toReversed()) {
    // What cannot be read is not it.
    const found = await readText(join(real, name)).catch(() => null);
    if (found !== null && "text" in found && isIt(readFrontMatter(found.text).data, found.text))
      return posix.join(folder, name);
  }
  return null;
}

/** Does front matter say all of this? */
export function isSaid(data: Record<string, unknown>, said: Record<string, string | number>): boolean {
  return Object.entries(said).every(([key, value]) => data[key] === value);
}

/** A file with the day in front of its name. Its path. */
export async function writeDated(
  root: string,
  folder: string,
  { now, name }: { now: Date; name: string },
  text: string,
): Promise<string> {
  const stem = await requireWithin(root, posix.join(folder, `${now.toISOString().slice(0, 10)}_${name}`));
  return toVaultPath(root, await usable(folder, createUnder(numbered(stem, ".md"), text)));
}

/** What a task is called in the names of files about it. */
export function nameOf(taskPath: string): string {
  const name = idOf(taskPath)
    .normalize()
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 60);
  return name === "" ? "task" : name;
}

export async function readHandOff(root: string, given: string): Promise<HandOffChoice[] | null> {
  const path = fromRoot(given);
  const found = await usable(path, readText(await requireWithin(root, path)));
  if (found === null) return null;
  return "why" in found ? [] : readChoices(found.text);
}

/** One that is gone needs no closing. @throws Fault `vault_busy`, `vault_unusable` */
export async function closeHandOff(root: string, given: string, outcome: string, now: Date): Promise<void> {
  const path = fromRoot(given);
  const file = await requireWithin(root, path);
  const made = await usable(
    path,
    changeFile(file, (bytes) => ({ next: Buffer.from(closed(bytes.toString(), outcome, now)), value: null })).catch(
      ifMissing({ value: null }),
    ),
  );
  if (made === null) throw new Fault("vault_busy", { path });
}

function closed(text: string, outcome: string, now: Date): string {
  const { yaml, data } = readFrontMatter(text);
  if (data.status === "closed") return text;
  const end = lineEndOf(text);
  const said = `${text.trimEnd()}${end}${end}## Outcome${end}${end}${toSecond(now)}: ${printable(outcome).trim()}${end}`;
  if (yaml === null) return `---${end}status: closed${end}---${end}${end}${said}`;
  const status = yaml.document.get("status", true);
  const range = isScalar(status) ? status.range : undefined;
  if (!range) return `${said.slice(0, yaml.to)}status: closed${end}${said.slice(yaml.to)}`;
  return `${said.slice(0, yaml.from + range[0])}closed${said.slice(yaml.from + range[1])}`;
}
