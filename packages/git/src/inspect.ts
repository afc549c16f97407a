import type { DirectoryReport } from "@ralpher/contract";
import type { Room } from "./room.ts";
import { changedFiles } from "./status.ts";
import { survey } from "./survey.ts";

/** Look at a folder, change nothing: two processes. */
export async function inspect(room: Room, directory: string): Promise<DirectoryReport> {
  await room.version();
  const found = await survey(room.git, directory);
  if (found.kind !== "repository") return { kind: found.kind };
  const root = found.tree.top;
  return {
    kind: "repository",
    root,
    branch: found.branch,
    head: found.head,
    changedFiles: await changedFiles(room.git, root),
  };
}
