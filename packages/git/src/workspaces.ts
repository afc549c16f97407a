import type { Workspaces } from "@ralpher/contract";
import { accept } from "./accept.ts";
import { baseBranch } from "./base-branch.ts";
import { branchOff } from "./branch-off.ts";
import { close } from "./close.ts";
import { codeState } from "./code-state.ts";
import { commitFolder } from "./commit-folder.ts";
import { diff } from "./diff.ts";
import { discard } from "./discard.ts";
import { facts } from "./facts.ts";
import { inspect } from "./inspect.ts";
import { mergeBack } from "./merge-back.ts";
import { open } from "./open.ts";
import { findUpdate } from "./planned-update.ts";
import { prepareGround } from "./prepare-ground.ts";
import { pullRequest } from "./pull-request.ts";
import { push } from "./push.ts";
import { readCommittedFile } from "./read-committed-file.ts";
import { readFile } from "./read-file.ts";
import { restore } from "./restore.ts";
import { restoreStash } from "./restore-stash.ts";
import { createRoom, type RoomOptions } from "./room.ts";
import { save, saveOn } from "./save.ts";
import { setAside } from "./set-aside.ts";
import { tipWithoutTree } from "./tip-without-tree.ts";
import { updateBranch } from "./update-branch.ts";

/**
 * The Workspaces port over the git command line. Creating it does nothing; `root` is made when it is first needed.
 * Keep one per process: it is what keeps loops in one repository from getting into each other's way.
 */
export function createWorkspaces(options: RoomOptions): Workspaces {
  const room = createRoom(options);
  return {
    prepareGround: (directory) => prepareGround(room, directory),
    baseBranch: (directory, wanted) => baseBranch(room, directory, wanted),
    codeState: (of, options) => codeState(room, of, options),
    branchOff: (workspace, branch) => branchOff(room, workspace, branch),
    saveOn: (workspace, branch, request) => saveOn(room, workspace, branch, request),
    mergeBack: (workspace, branch, message) => mergeBack(room, workspace, branch, message),
    setAside: (workspace, branch, request) => setAside(room, workspace, branch, request),
    inspect: (directory) => inspect(room, directory),
    open: (request) => open(room, request),
    save: (request) => save(room, request),
    diff: (workspace, of) => diff(room, workspace, of),
    accept: (workspace, message, options) => accept(room, workspace, message, options),
    updateBranch: (workspace, method) => updateBranch(room, workspace, method),
    findUpdate: (workspace) => findUpdate(room, workspace),
    discard: (workspace) => discard(room, workspace),
    restore: (workspace) => restore(room, workspace),
    facts: (workspace) => facts(room, workspace),
    push: (workspace, remote) => push(room, workspace, remote),
    pullRequest: (workspace, request) => pullRequest(room, workspace, request),
    commitFolder: (directory, message, options) => commitFolder(room, directory, message, options),
    close: (workspace) => close(room, workspace),
    restoreStash: (workspace) => restoreStash(room, workspace),
    async readFile(workspace, path, at) {
      if (workspace.kind === "plain") return at === undefined ? readFile(workspace, path) : null;
      const commit = at?.commit ?? (await tipWithoutTree(room, workspace));
      return commit === null ? readFile(workspace, path) : readCommittedFile(room, workspace, path, commit);
    },
  };
}
