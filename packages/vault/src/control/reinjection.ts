import { createHash } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { type ControlFile, Fault, type TaskConfig, toSecond, type VaultProblem } from "@ralpher/contract";
import { changeFile } from "../files/change-file.ts";
import { asideOf, createFile } from "../files/write-aside.ts";
import { lineEndOf } from "../markdown/lines.ts";
import { ifMissing, usable } from "../usable.ts";
import { fromRoot, requireWithin } from "../vault-path.ts";
import { readControl } from "./control-file.ts";
import { frontMatterText } from "./front-matter-text.ts";

/** What the seed's form ends with is for humans; an agent would go and delete the file. */
const footer =
  /\n+---\s+\*\*This prompt will be injected into the next iteration\.\*\*(\s+Delete this file after it's been processed\.)?\s*$/;

export async function readReinjection(
  root: string,
  config: TaskConfig,
): Promise<{ file: ControlFile; sha: string } | { problem: VaultProblem } | null> {
  const path = fromRoot(config.reinject_prompt_file);
  const read = await readControl(await requireWithin(root, path), path);
  if (read === null) return null;
  if (read.problem !== null) return { problem: read.problem };
  const content = read.file.content.replace(footer, "").trim();
  if (content === "") return { problem: { path, message: "there is nothing in it to say to the agent" } };
  return { file: { ...read.file, content }, sha: read.sha };
}

/** Taken away first, then looked at: one that a human saved meanwhile goes back. */
export async function removeReinjection(root: string, config: TaskConfig, sha: string): Promise<void> {
  const path = fromRoot(config.reinject_prompt_file);
  const file = await requireWithin(root, path);
  await usable(path, takeAway(file, asideOf(file), sha).catch(ifMissing(undefined)));
}

async function takeAway(file: string, aside: string, sha: string): Promise<void> {
  renameSync(file, aside);
  const taken = readFileSync(aside);
  if (createHash("sha256").update(taken).digest("hex") !== sha && !linked(aside, file)) {
    // In this moment somebody made yet another: both are said.
    await changeFile(file, (bytes) => ({ next: Buffer.concat([bytes, Buffer.from("\n\n"), taken]), value: null }));
  }
  rmSync(aside, { force: true });
}

/** False when there is a file of that name. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // No links here.
    renameSync(from, to);
    return true;
  }
}

/** In the seed's form; what waits already stays, and this comes below it. Its path. */
export async function writeReinjection(
  root: string,
  config: TaskConfig,
  { text, priority, now }: { text: string; priority: "normal" | "high"; now: Date },
): Promise<string> {
  const path = fromRoot(config.reinject_prompt_file);
  const file = await requireWithin(root, path);
  const front = frontMatterText({ type: "reinject_prompt", created: toSecond(now), priority });
  const whole = `${front}\n# Reinjected Prompt\n\n## Additional Context\n\n${text.trim()}\n${footerText}`;
  if (await usable(path, createFile(file, whole))) return path;
  const made = await usable(
    path,
    changeFile(file, (bytes) => ({ next: Buffer.from(below(bytes.toString(), text)), value: null })).catch(
      ifMissing("gone" as const),
    ),
  );
  // The loop has taken it just now.
  if (made === "gone") return await writeReinjection(root, config, { text, priority, now });
  if (made === null) throw new Fault("vault_busy", { path });
  return path;
}

const footerText =
  "\n---\n\n**This prompt will be injected into the next iteration.**\n\nDelete this file after it's been processed.\n";

function below(before: string, text: string): string {
  const end = lineEndOf(before);
  const rest = before.replace(footer, "").trimEnd();
  return `${rest}${end}${end}## Additional Context${end}${end}${text.trim()}${end}${footerText.replaceAll("\n", end)}`;
}
