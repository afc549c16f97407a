import type { Git } from "./run-git.ts";

/** Settings that switch every configured filter off, such as Git LFS's when its program is not there. */
export async function filtersOff(git: Git, cwd: string): Promise<string[]> {
  const args = ["config", "-z", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|smudge|process|required)$"];
  const names = (await git.run(args, { cwd })).stdout.split("\0").filter((name) => name !== "");
  const filters = new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))));
  return [...filters].flatMap((filter) => [
    `${filter}.required=false`,
    `${filter}.clean=`,
    `${filter}.smudge=`,
    `${filter}.process=`,
  ]);
}
