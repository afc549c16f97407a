import type {
  FileDiff,
  GitFacts,
  GitWorkspace,
  HandleUncommitted,
  PullRequest,
  PushResult,
  UpdateMethod,
  Workspace,
} from "../git.ts";
import type { CodeState } from "../soda/claims.ts";

/** What a folder is like for a loop. `branch` and `head` are those of the checkout. */
export type DirectoryReport =
  | { kind: "repository"; root: string; branch: string; head: string; changedFiles: string[] }
  | { kind: "missing" | "not_a_repository" | "bare" | "no_commits" | "detached" };

/** What the user's folder must have before a loop can begin in it. */
export interface GroundReport {
  /** `git init` was run. */
  repository: boolean;
  /** An empty first commit was made. */
  firstCommit: boolean;
}

export interface OpenWorkspace {
  /** Names the worktree's folder; the same key finds the same worktree again. */
  key: string;
  /** The user's folder: absolute path. */
  directory: string;
  isolation: "worktree" | "checkout";
  /** Wanted name of the working branch; a numbered suffix is added when it is taken. */
  branch: string;
  handleUncommitted: HandleUncommitted | null;
  /** The branch to begin from, and to merge back into. Absent: the one that is checked out. */
  base?: string | undefined;
  /** Files of ours, by their paths from `directory`: uncommitted changes to them are nobody's question. */
  own?: string[] | undefined;
  /** First word of the subject when the user's changes are committed, e.g. `[Ralph]`. */
  commitPrefix: string;
}

export interface SaveRequest {
  workspace: GitWorkspace;
  /** Where the working branch was when last saved. */
  since: string;
  message: string;
}

export interface SavedCommit {
  sha: string;
  message: string;
  timestamp: string;
  filesChanged: number;
}

/** What `save` found: every commit since the last save, the agent's own included, oldest first. */
export type Saved =
  | { kind: "made"; head: string; commits: SavedCommit[]; warnings: string[] }
  | { kind: "nothing"; head: string };

/**
 * Which changes. `first` and `last` are commits, both included: what an iteration did. `path`: of this file alone.
 * `patches` false: none, which is quicker.
 */
export type DiffRange = { path?: string | undefined; patches?: boolean | undefined } & (
  | { commit?: string | undefined }
  | { first: string; last: string }
);

export type BranchUpdate = { kind: "updated"; baseSha: string; head: string } | { kind: "conflict"; files: string[] };

export interface PullRequestText {
  title: string;
  body: string;
  draft: boolean;
  remote?: string | undefined;
}

export type Merge = { kind: "merged"; sha: string } | { kind: "conflict"; files: string[] };

/** Git, as a loop needs it. Every method takes plain data, so that a new process can go on with it. */
export interface Workspaces {
  /** Make a repository where there is none, and a first commit where there is none (L-BOOT-2). Idempotent. */
  prepareGround(directory: string): Promise<GroundReport>;
  /** The branch a milestone begins from: `wanted` if it exists, main, master, the one checked out. @throws Fault `branch_missing` */
  baseBranch(directory: string, wanted?: string): Promise<string>;
  /**
   * What git says of a tree (SENSE). Look, change nothing. For a folder without a workspace: of the checkout, without a
   * base. `historyAfter`: what changed since the base is asked only when this is through; the state of the tree takes
   * longest, and all that is asked beside it makes it wait. @throws Fault `not_a_repository`, `git_failed`
   */
  codeState(
    of: GitWorkspace | { directory: string },
    options?: { historyAfter?: Promise<unknown> | undefined },
  ): Promise<CodeState>;
  /**
   * Begin a branch at the working branch's head, and switch the tree to it. A taken name gets a numbered suffix; a branch
   * of this name that holds no work of its own yet and is checked out here is the one (idempotent). Needs a tree without
   * uncommitted changes; `save` first.
   */
  branchOff(workspace: GitWorkspace, branch: string): Promise<{ branch: string; base: string }>;
  /**
   * As `save`, for a branch made by `branchOff`. `since`: where that was when last saved. `always`: the log tells the
   * message also when the agent committed everything by itself, in an empty commit on top; without any commit there is
   * nothing to tell of. Idempotent.
   */
  saveOn(
    workspace: GitWorkspace,
    branch: string,
    request: { since: string; message: string; always?: boolean | undefined },
  ): Promise<Saved>;
  /**
   * Bring a branch made by `branchOff` into the working branch with a merge commit, switch the tree to the working branch,
   * and delete the branch. A branch without commits is deleted; then `sha` is the working branch's head. On a conflict
   * the branch stays, and the tree is back on the working branch without changes. Idempotent.
   */
  mergeBack(workspace: GitWorkspace, branch: string, message: string): Promise<Merge>;
  /**
   * Put all uncommitted changes of the tree, and the commits since `since`, into a commit under a ref of their own, and
   * take the tree and the branch back to `since`. Null when there is nothing. Idempotent.
   * Ignored files stay, except those that only a rule ignored which is taken back with the rest (secrets, packages):
   * the next save would commit them. They, and ignored files in the place of ones that come back, are moved out of the
   * tree to `<root of the worktrees>/<key>.aside/<label>/`, in no commit, and stay there until the loop is discarded.
   * Commits that were made in this tree on the working branch meanwhile (the agent switched) go to a trash ref, and the
   * working branch back to before them; where it is not sure whose they are, they stay. `warnings` tell of both.
   */
  setAside(
    workspace: GitWorkspace,
    branch: string,
    request: { since: string; label: string; message: string },
  ): Promise<{ ref: string; sha: string; warnings?: string[] | undefined } | null>;
  /** Look, change nothing. @throws Fault `git_missing`, `git_failed` */
  inspect(directory: string): Promise<DirectoryReport>;
  /**
   * Make the loop's tree, or find the one this key already has (idempotent). The user's uncommitted changes are
   * committed, stashed or left as asked. @throws Fault for every folder that cannot be worked in
   */
  open(request: OpenWorkspace): Promise<GitWorkspace>;
  /**
   * Commit all changes of the tree. If the tree is on another branch (the agent switched), the working branch is
   * brought along; a tip that is left behind is kept under a trash ref. A hook or signature that refuses is bypassed
   * with a warning, for the work must not be lost. @throws Fault `git_failed`, `disk_full`
   */
  save(request: SaveRequest): Promise<Saved>;
  /** All changes of the loop since its base, uncommitted ones included; `of` narrows them. */
  diff(workspace: GitWorkspace, of?: DiffRange): Promise<FileDiff[]>;
  /**
   * Merge the working branch into the original one with a merge commit, in a tree of its own; the user's branch moves
   * only when that succeeded. Idempotent: a branch already merged answers with its merge commit. `squash`: one plain
   * commit with all the changes, in place of the merge commit.
   * @throws Fault `target_not_clean`, `branch_missing`
   */
  accept(workspace: GitWorkspace, message: string, options?: { squash?: boolean | undefined }): Promise<Merge>;
  /**
   * Bring the working branch up to date with the original one; a conflict is found before anything was changed. What
   * lies in the tree uncommitted must be saved before. @throws Fault `branch_missing`, `target_not_clean`, `git_failed`
   */
  updateBranch(workspace: GitWorkspace, method: UpdateMethod): Promise<BranchUpdate>;
  /**
   * The newest update of the branch, if it took place: for a process that died before anybody recorded it. `head` is where
   * the branch was put then. Changes nothing.
   */
  findUpdate(workspace: GitWorkspace): Promise<(BranchUpdate & { kind: "updated"; method: UpdateMethod }) | null>;
  /** Remove worktree and branch; their last commit stays under a trash ref. Idempotent. */
  discard(workspace: GitWorkspace): Promise<void>;
  /**
   * Undo a discard: the branch is where it was, and its tree is there again when next opened. Returns the branch's head.
   * Idempotent. @throws Fault `branch_missing` when nothing of it was kept
   */
  restore(workspace: GitWorkspace): Promise<string>;
  /** Look, change nothing, ask no remote. */
  facts(workspace: GitWorkspace): Promise<GitFacts>;
  /** Push the working branch, never by force. @throws Fault `no_remote`, `push_failed` */
  push(workspace: GitWorkspace, remote?: string): Promise<PushResult>;
  /**
   * Make a pull request of the pushed branch with the `gh` program, or find the one there is, or name the page where a
   * human makes it. @throws Fault `no_pull_request` when the host's kind is unknown
   */
  pullRequest(workspace: GitWorkspace, request: PullRequestText): Promise<PullRequest>;
  /**
   * Commit all changes below a folder that is worked in without a workspace, and nothing else: what the user has staged
   * elsewhere stays staged. Files and folders of `except`, by their paths from the folder, are left as they are. One at a
   * time in a repository. `nothing`: no changes, or no checkout. `refused`, in words: a
   * hook or git would not, a merge is under way, or it is on no branch; the changes stay as they are.
   * @throws Fault `git_missing`, `disk_full`
   */
  commitFolder(
    directory: string,
    message: string,
    options?: { except?: readonly string[] | undefined },
  ): Promise<{ kind: "made"; commit: SavedCommit } | { kind: "nothing" } | { kind: "refused"; why: string }>;
  /** Remove the worktree, keep the branch. Idempotent. */
  close(workspace: GitWorkspace): Promise<void>;
  /** Give the user's stashed changes back. Returns what to tell them. Idempotent. */
  restoreStash(workspace: GitWorkspace): Promise<"nothing" | "restored" | { kept: string; why: string }>;
  /** A file of the tree, or null when there is none. Never reads outside of it, symlinks included. */
  readFile(workspace: Workspace, path: string, at?: { commit: string }): Promise<string | null>;
}
