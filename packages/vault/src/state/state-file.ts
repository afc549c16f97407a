import { readFile, rm, stat, utimes } from "node:fs/promises";
import { posix } from "node:path";
import { Fault, TaskState, type VaultProblem } from "@ralpher/contract";
import { replaceFile } from "../files/write-aside.ts";
import { ifMissing, usable } from "../usable.ts";
import { fromRoot, requireWithin } from "../vault-path.ts";

/** What a state file turns out to be. */
type Seen =
  | { kind: "missing" }
  | { kind: "good"; state: TaskState; bytes: Buffer }
  /** Torn, or of another shape than ours though it is ours. */
  | { kind: "damaged"; why: string; isEmpty: boolean }
  /** Of another program or version: not ours to write. */
  | { kind: "foreign"; why: string };

export interface StateFiles {
  root: string;
  /** This Ralpher's. */
  version: string;
}

/** `.state/x.json` → `.state/x_backup.json` */
export function backupOf(path: string): string {
  const extension = posix.extname(path);
  return `${path.slice(0, path.length - extension.length)}_backup${extension}`;
}

/** @throws Fault `state_unusable` */
export async function readState(
  files: StateFiles,
  given: string,
): Promise<{ state: TaskState; problem: VaultProblem | null } | null> {
  const path = fromRoot(given);
  const seen = await look(files, path);
  if (seen.kind === "good") return { state: seen.state, problem: null };
  if (seen.kind === "missing") return null;
  if (seen.kind === "foreign") throw unusable(path, seen.why);
  const backup = await look(files, backupOf(path));
  if (backup.kind !== "good") {
    if (seen.isEmpty) return null;
    throw unusable(path, `${seen.why}, and it has no backup that could be used`);
  }
  const at = backup.state.last_updated;
  return { state: backup.state, problem: { path, message: `${seen.why}; its backup of ${at} is used` } };
}

/** @throws Fault `state_unusable` */
export async function writeState(files: StateFiles, given: string, state: TaskState): Promise<void> {
  const path = fromRoot(given);
  const backup = backupOf(path);
  const seen = await look(files, path);
  if (seen.kind === "foreign") throw unusable(path, seen.why);
  if (seen.kind === "damaged" && !seen.isEmpty) {
    const saved = await look(files, backup);
    if (saved.kind !== "good") throw unusable(path, `${seen.why}, and it has no backup that could be used`);
  }
  // A damaged one must not become the backup.
  if (seen.kind === "good") {
    const old = await look(files, backup);
    if (old.kind === "foreign") throw unusable(backup, old.why);
    await put(files, backup, seen.bytes);
  }
  await put(files, path, stateText(state));
}

/** Into the history, and away from where it was. Its path. */
export async function moveToHistory(files: StateFiles, given: string, state: TaskState, now: Date): Promise<string> {
  const path = fromRoot(given);
  const name = state.loop_id.replace(/[^\w.-]+/g, "_").replace(/^\.+/, "_");
  const goal = posix.join(historyOf(path), `${name}.json`);
  await put(files, goal, stateText(state));
  await usable(goal, utimes(await requireWithin(files.root, goal), now, now));
  await dropState(files, path, state.loop_id);
  return goal;
}

/** Remove the state of a run, and its backup; what is not that run's stays. */
export async function dropState(files: StateFiles, given: string, loopId: string): Promise<void> {
  const path = fromRoot(given);
  for (const old of [path, backupOf(path)]) {
    const seen = await look(files, old);
    const isOfLoop = seen.kind === "good" && seen.state.loop_id === loopId;
    if (isOfLoop) await usable(old, rm(await requireWithin(files.root, old), { force: true }));
  }
}

export function historyOf(path: string): string {
  return posix.join(posix.dirname(fromRoot(path)), "history");
}

async function put({ root }: StateFiles, path: string, text: string | Uint8Array): Promise<void> {
  await usable(path, replaceFile(await requireWithin(root, path), text));
}

const stateText = (state: TaskState) => `${JSON.stringify(state, null, 2)}\n`;

/** Far beyond what a loop writes. */
const mostBytes = 64 * 1024 * 1024;

async function look({ root, version }: StateFiles, path: string): Promise<Seen> {
  const file = await requireWithin(root, path);
  const { size } = (await usable(path, stat(file).catch(ifMissing(null)))) ?? { size: -1 };
  if (size < 0) return { kind: "missing" };
  if (size > mostBytes) return { kind: "foreign", why: "it is too large to be one" };
  const bytes = await usable(path, readFile(file));
  return judge(bytes, version);
}

function judge(bytes: Buffer, version: string): Seen {
  const text = bytes.toString();
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // Even torn, ours begins with its first key.
    // What a power cut leaves of a file may be zeros.
    const rest = text.replace(/[\s\0]+/g, "");
    const isEmpty = rest === "";
    const isOurs = '{"loop_id"'.startsWith(rest.slice(0, 10));
    if (!isOurs) return { kind: "foreign", why: "it is no state file" };
    return { kind: "damaged", why: isEmpty ? "it is empty" : "it is not whole", isEmpty };
  }
  const metadata = fieldOf(data, "metadata");
  const writtenBy = fieldOf(metadata, "ralph_loop_version");
  if (typeof fieldOf(data, "loop_id") !== "string") return { kind: "foreign", why: "it is no state file" };
  if (typeof fieldOf(metadata, "ralpher_loop") !== "string") {
    return { kind: "foreign", why: "it was written by another program" };
  }
  if (typeof writtenBy !== "string" || lineOf(writtenBy) !== lineOf(version)) {
    return { kind: "foreign", why: `it was written by Ralpher ${String(writtenBy)}, and this is ${version}` };
  }
  const parsed = TaskState.safeParse(data);
  if (parsed.success) return { kind: "good", state: parsed.data, bytes };
  const [issue] = parsed.error.issues;
  return { kind: "damaged", why: `its ${issue?.path.join(".") ?? "form"} is wrong`, isEmpty: false };
}

/** Versions of one line read each other's files: `1.4.2` and `1.5.0`, but not `0.1.3` and `0.2.0`. */
function lineOf(version: string): string {
  const [major = "", minor = ""] = version.split(/[.+-]/);
  return major === "0" ? `0.${minor}` : major;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

const unusable = (path: string, detail: string) => new Fault("state_unusable", { path, detail });
