import type { ControlFile, VaultProblem } from "@ralpher/contract";
import { readText } from "../files/read-text.ts";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { usable } from "../usable.ts";

export interface ReadControl {
  file: ControlFile;
  sha: string;
  problem: VaultProblem | null;
}

/** A file that a human put down to steer; null when there is none. */
export async function readControl(file: string, path: string): Promise<ReadControl | null> {
  const found = await usable(path, readText(file));
  if (found === null) return null;
  const blank = { path, frontMatter: {}, content: "" };
  if ("why" in found) return { file: blank, sha: "", problem: { path, message: found.why } };
  const { data, bodyFrom, problem } = readFrontMatter(found.text);
  const content = found.text.slice(bodyFrom).trim();
  return {
    file: { path, frontMatter: data, content },
    sha: found.sha,
    problem: problem === null ? null : { path, ...problem },
  };
}
