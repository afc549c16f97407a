import type { DirectoryReport } from "@ralpher/contract";
import { plural } from "../../words/count.ts";

export interface FolderWords {
  meaning: "good" | "needs-you" | "bad";
  text: string;
  /** What to type in a terminal about it. */
  command?: string;
}

/**
 * What a folder is like for a loop, and what to do when it does not serve. `git`: the loop is to use git. `makes`: it
 * makes a repository, and a first commit, where there is none.
 */
export function folderWords(report: DirectoryReport, path: string, git: boolean, makes = false): FolderWords {
  if (report.kind === "missing") return { meaning: "bad", text: "There is no such folder. Check the path." };
  if (!git)
    return { meaning: "good", text: "The agent works in the folder itself, without git: nothing can be undone." };
  if (makes && (report.kind === "not_a_repository" || report.kind === "no_commits")) {
    return { meaning: "good", text: "It becomes a git repository, with an empty first commit." };
  }
  switch (report.kind) {
    case "repository": {
      const changed = report.changedFiles.length;
      const inside = report.root === path ? "" : `, whose top is ${report.root}`;
      if (changed === 0)
        return { meaning: "good", text: `A repository, on ${report.branch}${inside}. Nothing uncommitted.` };
      return {
        meaning: "needs-you",
        text: `A repository, on ${report.branch}${inside}, with ${plural(changed, "uncommitted file")}. You are asked what happens to them when it starts.`,
      };
    }
    case "not_a_repository":
      return {
        meaning: "bad",
        text: "This is not in a git repository. Make one, or switch git off under “More”.",
        command: `git -C ${quoted(path)} init && git -C ${quoted(path)} commit --allow-empty -m "first commit"`,
      };
    case "bare":
      return {
        meaning: "bad",
        text: "This is a bare repository, which has no files to work on. Name a checkout of it.",
      };
    case "no_commits":
      return {
        meaning: "bad",
        text: "The repository has no commit yet. Make one first.",
        command: `git -C ${quoted(path)} commit --allow-empty -m "first commit"`,
      };
    case "detached":
      return {
        meaning: "bad",
        text: "No branch is checked out there (detached HEAD), so there is nothing to merge back into. Switch to one.",
        command: `git -C ${quoted(path)} switch main`,
      };
  }
}

/** The same of a folder that is to be a vault, or is in one. */
export function vaultFolderWords(report: DirectoryReport): FolderWords {
  if (report.kind === "missing") {
    return { meaning: "needs-you", text: "There is no such folder yet. It is made when the vault is laid out." };
  }
  return report.kind === "repository"
    ? { meaning: "good", text: `In git, on ${report.branch}: each finished step is a commit.` }
    : { meaning: "good", text: "The agent works in the folder itself, without git: nothing can be undone." };
}

const quoted = (path: string) => (/^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
