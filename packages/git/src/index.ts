/**
 * git: the Workspaces port over the git command line.
 *
 * Owns: worktrees and branches of loops, work branches within a loop, commits, merges, diffs, what git says of a tree,
 * the user's stash, the refs under refs/ralpher/, what goes to a remote and the pull request made of it, and the
 * environment and settings git runs with; a repository and a first commit where a loop is to begin without.
 * Does not own: when any of that happens, what a commit message says, events, the journal.
 */
export { gitVersion, oldestGit } from "./git-version.ts";
export type { RoomOptions as WorkspacesOptions } from "./room.ts";
export { createWorkspaces } from "./workspaces.ts";
