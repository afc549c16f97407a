import type { Workspaces } from "@ralpher/contract";
import { accept } from "./accept.ts";
import { close } from "./close.ts";
import { diff } from "./diff.ts";
import { discard } from "./discard.ts";
import { inspect } from "./inspect.ts";
import { open } from "./open.ts";
import { readFile } from "./read-file.ts";
import { restoreStash } from "./restore-stash.ts";
import { createRoom, type RoomOptions } from "./room.ts";
import { save } from "./save.ts";

/**
 * The Workspaces port over the git command line. Creating it does nothing; `root` is made when it is first needed.
 * Keep one per process: it is what keeps loops in one repository from getting into each other's way.
 */
export function createWorkspaces(options: RoomOptions): Workspaces {
  const room = createRoom(options);
  return {
    inspect: (directory) => inspect(room, directory),
    open: (request) => open(room, request),
    save: (request) => save(room, request),
    diff: (workspace, of) => diff(room, workspace, of),
    accept: (workspace, message) => accept(room, workspace, message),
    discard: (workspace) => discard(room, workspace),
    close: (workspace) => close(room, workspace),
    restoreStash: (workspace) => restoreStash(room, workspace),
    readFile,
  };
}
