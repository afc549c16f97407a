import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault, type GitWorkspace, type OpenWorkspace } from "@ralpher/contract";
import { freeBranchName, toBranchName } from "./branch-name.ts";
import { ensureWorktree } from "./ensure-worktree.ts";
import { gitFault } from "./git-fault.ts";
import { findRecord, writeRecord } from "./loop-record.ts";
import { readBranch, readHead, readRef } from "./read-ref.ts";
import { putBackStash } from "./restore-stash.ts";
import type { Room } from "./room.ts";
import { type Survey, survey } from "./survey.ts";
import { refs } from "./trash.ts";
import type { Tree } from "./tree.ts";
import { settleUncommitted } from "./uncommitted.ts";
import { updateRefs } from "./update-refs.ts";

type Place = Extract<Survey, { tree: Tree }>;

/** Others may take the name between our look and our transaction; so often in a row it is something else. */
const mostNames = 10;

/**
 * Make the loop's branch and tree, or find those of the key. It plans, writes the plan down, makes the branch in one
 * transaction, then the tree; a process that dies between two of these steps leaves what the next call goes on with.
 */
export async function open(room: Room, request: OpenWorkspace): Promise<GitWorkspace> {
  await room.version();
  requireKey(request.key);
  const place = requirePlace(await survey(room.git, request.directory), request.directory);
  return room.mutex.run(place.tree.commonDir, async () => {
    const known = await reopen(room, request, place);
    if (known !== null) {
      await putInPlace(room, known, place, request.key);
      return known;
    }
    if (place.kind === "no_commits") throw new Fault("no_commits", { directory: request.directory });
    if (place.kind === "detached") throw new Fault("detached_head", { directory: request.directory });
    const stashSha = await settleUncommitted(room, place.tree, request);
    try {
      const workspace = await begin(room, request, place, stashSha);
      await putInPlace(room, workspace, place, request.key);
      return workspace;
    } catch (error) {
      // The loop that the user's changes were put aside for does not come about.
      if (stashSha !== null) await putBackStash(room, place.tree, stashSha);
      throw error;
    }
  });
}

/** What an earlier call for this key made; null when it did not get as far as the branch. */
async function reopen(room: Room, request: OpenWorkspace, { tree }: Place): Promise<GitWorkspace | null> {
  const record = await findRecord(room, request.key);
  if (record === null || record.repository !== tree.top || record.kind !== request.isolation) return null;
  if ((await readRef(room.git, tree, refs.base(request.key))) !== record.baseSha) return null;
  const branch = record.workingBranch;
  if ((await readBranch(room.git, tree, branch)) === null) throw new Fault("branch_missing", { branch });
  return record;
}

async function begin(
  room: Room,
  request: OpenWorkspace,
  place: Extract<Place, { branch: string }>,
  stashSha: string | null,
): Promise<GitWorkspace> {
  const { tree, prefix } = place;
  // Committing the user's changes moved it.
  const baseSha = (await readHead(room.git, tree)).sha ?? place.head;
  const top = request.isolation === "worktree" ? join(await room.root(), request.key) : tree.top;

  for (let tries = 1; ; tries++) {
    const workspace: GitWorkspace = {
      kind: request.isolation,
      directory: join(top, prefix).replace(/\/$/, ""),
      repository: tree.top,
      originalBranch: place.branch,
      workingBranch: freeBranchName(toBranchName(request.branch), await branches(room, tree)),
      baseSha,
      ...(stashSha === null ? {} : { stashSha }),
    };
    await writeRecord(room, request.key, workspace);
    const changes = [
      { ref: refs.branch(workspace.workingBranch), to: baseSha, old: null },
      { ref: refs.base(request.key), to: baseSha },
    ];
    const result = await updateRefs(room.git, tree.top, changes, "begin a loop");
    if (result.code === 0) return workspace;
    if (tries >= mostNames) throw gitFault(["update-ref"], result, tree.top);
  }
}

async function putInPlace(room: Room, workspace: GitWorkspace, { tree }: Place, key: string): Promise<void> {
  if (workspace.kind === "worktree") {
    await ensureWorktree(room.git, tree, join(await room.root(), key), workspace.workingBranch);
    // The user's subfolder may hold nothing that is committed.
    await mkdir(workspace.directory, { recursive: true });
    return;
  }
  const branch = workspace.workingBranch;
  const head = await readHead(room.git, tree);
  if (head.branch === branch) return;
  if (head.sha === (await readBranch(room.git, tree, branch))) {
    // The same commit: nothing to check out, so no file and no staged change is touched.
    await room.git.output(["symbolic-ref", "-m", "ralpher: begin a loop", "HEAD", refs.branch(branch)], {
      cwd: tree.top,
    });
  } else {
    await room.git.output(["checkout", "--quiet", "--no-overwrite-ignore", branch, "--"], { cwd: tree.top });
  }
}

async function branches(room: Room, tree: Tree): Promise<Set<string>> {
  const text = await room.git.output(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/"], {
    cwd: tree.top,
  });
  return new Set(text.split("\n").filter((name) => name !== ""));
}

function requirePlace(found: Survey, directory: string): Place {
  if ("tree" in found) return found;
  if (found.kind === "missing") throw new Fault("directory_missing", { directory });
  if (found.kind === "bare") throw new Fault("bare_repository", { directory });
  throw new Fault("not_a_repository", { directory });
}

/** The key becomes a folder and part of ref names. */
function requireKey(key: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(key)) return;
  const issues = [{ path: "key", message: "letters, digits, - and _ only" }];
  throw new Fault("invalid_input", { what: "workspace key", issues });
}
