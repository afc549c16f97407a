import { z } from "zod";
import { Timestamp } from "./ids.ts";

/** An address that a browser may be sent to: no script, no file. */
export const WebUrl = z.url({ protocol: /^https?$/ });

/** A commit made during a loop (seed 004, §3.2). */
export const GitCommit = z.object({
  iteration: z.int().nonnegative(),
  sha: z.string(),
  message: z.string(),
  timestamp: Timestamp,
  filesChanged: z.int().nonnegative(),
});
export type GitCommit = z.infer<typeof GitCommit>;

/** What to do with uncommitted changes in the user's checkout when a loop starts. */
export const HandleUncommitted = z.enum(["commit", "stash", "ignore"]);
export type HandleUncommitted = z.infer<typeof HandleUncommitted>;

/**
 * Where a loop works. `worktree`: a tree of its own under the data root; `checkout`: the user's own checkout, in place;
 * `plain`: a folder without git. Plain data: it is journaled, and everything the git room needs to go on after a crash.
 */
export const Workspace = z.discriminatedUnion("kind", [
  z.object({
    kind: z.enum(["worktree", "checkout"]),
    /** Where the agent works: absolute path. */
    directory: z.string(),
    /** Top of the user's checkout: absolute path. */
    repository: z.string(),
    /** The branch it merges into: the one it started from, unless a human chose another. */
    originalBranch: z.string(),
    workingBranch: z.string(),
    /** The commit the working branch began at. */
    baseSha: z.string(),
    /** The commit that holds the user's stashed changes until the loop ends. */
    stashSha: z.string().optional(),
  }),
  z.object({ kind: z.literal("plain"), directory: z.string() }),
]);
export type Workspace = z.infer<typeof Workspace>;
export type GitWorkspace = Exclude<Workspace, { kind: "plain" }>;

/** One changed file of a diff. `patch` is absent when it is binary or was left out for size. */
export const FileDiff = z.object({
  path: z.string(),
  oldPath: z.string().optional(),
  status: z.enum(["added", "modified", "deleted", "renamed"]),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
  binary: z.boolean(),
  patch: z.string().optional(),
  /** Object id of the new side (of the old one when it was deleted): it changes when the file does. */
  blob: z.string(),
});
export type FileDiff = z.infer<typeof FileDiff>;

/** Where a loop's branch stands. */
export const GitFacts = z.object({
  branch: z.string(),
  /** The branch it merges into. */
  target: z.string(),
  /** Null when the branch is gone. */
  head: z.string().nullable(),
  /** Null when the target is gone. */
  targetHead: z.string().nullable(),
  /** Commits of the branch that the target lacks, and the other way round. */
  ahead: z.int().nonnegative(),
  behind: z.int().nonnegative(),
  /** Changed and new files in the loop's tree that are in no commit yet. */
  uncommitted: z.int().nonnegative(),
  /** The remote that a push goes to; null when the repository has none. */
  remote: z.string().nullable(),
  /** The remote has the branch as it is here. */
  pushed: z.boolean(),
  /** The page of the remote's host where a pull request is made; null when we do not know the host's kind. */
  compareUrl: WebUrl.nullable(),
  /** A discarded loop's work can be had back. */
  restorable: z.boolean(),
});
export type GitFacts = z.infer<typeof GitFacts>;

/** How a branch gets what its target got meanwhile. */
export const UpdateMethod = z.enum(["merge", "rebase"]);
export type UpdateMethod = z.infer<typeof UpdateMethod>;

export const PushResult = z.object({
  remote: z.string(),
  branch: z.string(),
  head: z.string(),
  compareUrl: WebUrl.nullable(),
});
export type PushResult = z.infer<typeof PushResult>;

/** `compare`: the host's own page finishes it, since `gh` is not there or not logged in. */
export const PullRequest = z.object({ kind: z.enum(["created", "exists", "compare"]), url: WebUrl });
export type PullRequest = z.infer<typeof PullRequest>;
