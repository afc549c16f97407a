import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ifMissing } from "../usable.ts";
import { isCode, isForeign, isManifest, isTest } from "./file-kinds.ts";

/** So many files and folders are looked at, whatever the tree's size. */
const mostLooked = 5_000;
/** So many files of one folder: whoever keeps ten thousand pictures in one has code in another. */
const mostOfFolder = 500;
/** So deep below the project's folder everything is looked at, as far as that goes: for manifests and kinds of tests. */
const wholeDepth = 2;
/** So many folders are listed at once. */
const atOnce = 32;
const mostManifests = 50;
const mostTests = 200;
/** So many files are read for tests that are among the code. */
const mostRead = 50;

export interface Surroundings {
  hasCode: boolean;
  hasTests: boolean;
  /** Paths from the folder, with slashes: the nearest first. At most 50. */
  manifests: string[];
  /** Files with tests, likewise. At most 200. */
  tests: string[];
  /** What lies in the folder itself. */
  top: Entries;
}

/** Names in one folder. */
export interface Entries {
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
}

/**
 * Look at a tree, level by level, until it is known what it is, or until so many files and folders were seen. Links are
 * not followed. A missing one is empty.
 */
export async function lookAround(directory: string, mostEntries = mostLooked): Promise<Surroundings> {
  const manifests: string[] = [];
  const tests: string[] = [];
  const rust: string[] = [];
  let hasCode = false;
  let top: Entries | null = null;
  for await (const { path, depth, files, folders } of walk(directory, mostEntries)) {
    top ??= { files: new Set(files), folders: new Set(folders) };
    if (depth > wholeDepth && hasCode && tests.length > 0) break;
    for (const name of files) {
      if (depth <= wholeDepth && isManifest(name) && manifests.length < mostManifests) manifests.push(path + name);
      if (!isCode(name)) continue;
      hasCode = true;
      if (isTest(name, path.split("/")) && tests.length < mostTests) tests.push(path + name);
      if (name.endsWith(".rs") && rust.length < mostRead) rust.push(join(directory, path, name));
    }
  }
  const hasTests = tests.length > 0 || (await haveRustTests(rust));
  manifests.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  return { hasCode, hasTests, manifests, tests, top: top ?? { files: new Set(), folders: new Set() } };
}

const depthOf = (path: string) => path.split("/").length;

interface Looked {
  /** From the directory, with a slash at the end; empty for itself. */
  path: string;
  depth: number;
  files: string[];
  folders: string[];
}

/** The folders of a tree that are its own, nearest first. */
async function* walk(directory: string, mostEntries: number): AsyncGenerator<Looked, void, void> {
  let left = mostEntries;
  let level = [""];
  for (let depth = 0; level.length > 0; depth++) {
    const next: string[] = [];
    for (let from = 0; from < level.length; from += atOnce) {
      const paths = level.slice(from, from + atOnce);
      const all = await Promise.all(paths.map((path) => list(join(directory, path))));
      for (const [index, entries] of all.entries()) {
        if (left <= 0) return;
        const path = paths[index] ?? "";
        const namesOf = (some: Dirent[]) => some.map(({ name }) => name);
        const folders = namesOf(entries.filter((entry) => entry.isDirectory()).slice(0, left));
        left -= folders.length;
        const files = namesOf(entries.filter((entry) => entry.isFile()).slice(0, Math.min(left, mostOfFolder)));
        left -= files.length;
        for (const name of folders) if (!isForeign(name)) next.push(`${path}${name}/`);
        yield { path, depth, files, folders };
      }
    }
    level = next;
  }
}

async function list(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch(ifGone([]));
}

/** Whoever works there may take things away while we look, and some are nobody's business. */
function ifGone<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => (error.code === "EACCES" ? instead : ifMissing(instead)(error));
}

/** Rust has its tests among the code. */
async function haveRustTests(paths: string[]): Promise<boolean> {
  for (const path of paths) {
    if (/#\[(\w+::)?test\]|#\[cfg\(test\)\]/.test(await readFile(path, "utf8").catch(ifGone("")))) return true;
  }
  return false;
}
