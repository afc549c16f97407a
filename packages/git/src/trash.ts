import type { RefChange } from "./update-refs.ts";

/** Everything Ralpher keeps out of the way of branches and tags. */
export const refs = {
  /** The commit a loop began at; it also says that the loop's branch was really made by that loop. */
  base: (key: string) => `refs/ralpher/base/${key}`,
  stashes: "refs/ralpher/stash/",
  stash: (key: string) => `refs/ralpher/stash/${key}`,
  discarded: "refs/ralpher/discarded/",
  /** What a discarded loop's branch comes back to. */
  discardedOf: (key: string, branch: string) => `refs/ralpher/discarded/${key}/${branch}`,
  /** Marks of branches that `branchOff` made for a loop: of the one it is at work on, where the mark's commit is. */
  works: (key: string) => `refs/ralpher/work/${key}/`,
  workOf: (key: string, branch: string) => `refs/ralpher/work/${key}/${branch}`,
  /** The same of those it is done with and that are there still, for example because of a conflict. */
  lefts: (key: string) => `refs/ralpher/left/${key}/`,
  leftOf: (key: string, branch: string) => `refs/ralpher/left/${key}/${branch}`,
  /** Changes that were taken out of the loop's tree, by their label. */
  asideOf: (key: string, label: string) => `refs/ralpher/aside/${key}/${label}`,
  branch: (name: string) => `refs/heads/${name}`,
};

/**
 * A change that keeps a commit nobody else would keep. `git for-each-ref refs/ralpher/trash` lists them,
 * `git branch <name> <ref>` brings one back. The commit in its name makes it unique.
 */
export function keepInTrash(branch: string, sha: string): RefChange {
  const time = new Date().toISOString().replace(/[-:.]/g, "");
  return { ref: `refs/ralpher/trash/${branch}/${time}-${sha.slice(0, 10)}`, to: sha };
}
