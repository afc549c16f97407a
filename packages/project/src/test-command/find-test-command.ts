import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Entries, Surroundings } from "../tree/look-around.ts";
import { ifMissing } from "../usable.ts";
import { findNodeCommand } from "./node-command.ts";
import { findPythonCommand } from "./python-command.ts";

export type Words = [string, ...string[]];

/** A project's folder, as those who look for its test command see it. */
export interface Folder extends Entries {
  directory: string;
  /** The content of a file in it; empty when there is none. */
  read(name: string): Promise<string>;
  /** Is this program on PATH? */
  has(program: string): boolean;
  /** Some of its tests: paths from the folder. */
  tests: readonly string[];
}

type Find = (folder: Folder) => Promise<Words | null>;

/** A file that says all by being there, and the command. */
const byFile = (name: string, ...command: Words): Find => {
  return async ({ files }) => (files.has(name) ? command : null);
};

/** In this order: the first that knows wins. What is named by a language's own manifest goes before a Makefile. */
const finders: Find[] = [
  findNodeCommand,
  byFile("deno.json", "deno", "test"),
  byFile("deno.jsonc", "deno", "test"),
  findPythonCommand,
  // All of them: one that stops early would not show later ones, and these would look new when the first is mended.
  byFile("Cargo.toml", "cargo", "test", "--no-fail-fast"),
  byFile("go.mod", "go", "test", "./..."),
  byFile("mix.exs", "mix", "test"),
  byFile("gradlew", "./gradlew", "test", "--continue"),
  byFile("build.gradle", "gradle", "test", "--continue"),
  byFile("build.gradle.kts", "gradle", "test", "--continue"),
  byFile("mvnw", "./mvnw", "--batch-mode", "test"),
  byFile("pom.xml", "mvn", "--batch-mode", "test"),
  findMakeTarget,
];

/** How the tests are run, by what the folder's manifests say; null when they say nothing. */
export async function findTestCommand(
  directory: string,
  { top, tests }: Pick<Surroundings, "top" | "tests">,
  path: string = process.env.PATH ?? "",
): Promise<Words | null> {
  const folder: Folder = {
    ...top,
    directory,
    read: async (name) =>
      top.files.has(name) ? await readFile(join(directory, name), "utf8").catch(ifMissing("")) : "",
    has: (program) => Bun.which(program, { PATH: path }) !== null,
    tests,
  };
  for (const find of finders) {
    const command = await find(folder);
    if (command !== null) return command;
  }
  return null;
}

async function findMakeTarget({ files, read }: Folder): Promise<Words | null> {
  const name = ["GNUmakefile", "makefile", "Makefile"].find((candidate) => files.has(candidate));
  if (name === undefined) return null;
  // A rule's targets, of which `test` may be one among others; `test := x` is none.
  return /^(?:[\w.-]+[ \t]+)*test(?:[ \t]+[\w.-]+)*[ \t]*::?(?!=)/m.test(await read(name)) ? ["make", "test"] : null;
}
