import { z } from "zod";
import { Timestamp } from "./ids.ts";

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
    /** The branch the loop started from, and merges back into. */
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
});
export type FileDiff = z.infer<typeof FileDiff>;
