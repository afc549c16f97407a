/**
 * git: the Workspaces port over the git command line.
 *
 * Owns: worktrees and branches of loops, commits, merges, diffs, the user's stash, the refs under refs/ralpher/, what
 * goes to a remote and the pull request made of it, and the environment and settings git runs with.
 * Does not own: when any of that happens, what a commit message says, events, the journal.
 */
export { gitVersion, oldestGit } from "./git-version.ts";
export type { RoomOptions as WorkspacesOptions } from "./room.ts";
export { createWorkspaces } from "./workspaces.ts";
