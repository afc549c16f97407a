import { mkdir } from "node:fs/promises";
import { git } from "@ralpher/loop/lab";

export interface History {
  files: number;
  commits: number;
  /** The branch `begin` is at the commit of this number, from 1; `main` at the last. */
  branchAt: number;
}

/** A repository with so many small files in folders of a hundred, and as many commits, each of which changes a file. */
export async function importHistory(path: string, history: History): Promise<void> {
  await mkdir(path, { recursive: true });
  await git(path, "init", "-q", "-b", "main");
  await git(path, "config", "user.name", "Bench");
  await git(path, "config", "user.email", "bench@localhost");
  await git(path, "config", "gc.auto", "0");
  const run = Bun.spawn(["git", "fast-import", "--quiet"], { cwd: path, stdin: "pipe", stdout: "ignore" });
  for (const part of stream(history)) run.stdin.write(part);
  await run.stdin.end();
  if ((await run.exited) !== 0) throw new Error(`git fast-import ended with ${run.exitCode}`);
  // Packed as a clone is; an import packs in the order in which things came.
  await git(path, "repack", "-q", "-a", "-d");
  await git(path, "reset", "-q", "--hard");
}

function* stream({ files, commits, branchAt }: History): Generator<string> {
  for (let commit = 1; commit <= commits; commit++) {
    yield `commit refs/heads/main\nmark :${commit}\ncommitter Bench <bench@localhost> ${1_700_000_000 + commit * 60} +0000\n`;
    yield data(`Change number ${commit}\n\nWhat was done, and why.\n`);
    if (commit === 1) for (let file = 0; file < files; file++) yield fileOf(file, `file ${file}\n`);
    else yield fileOf((commit * 7_919) % files, `changed in ${commit}\n`);
    if (commit === branchAt) yield `reset refs/heads/begin\nfrom :${commit}\n\n`;
  }
}

const fileOf = (file: number, text: string) =>
  `M 100644 inline folder-${Math.floor(file / 100)}/file-${file}.txt\n${data(text)}`;

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
