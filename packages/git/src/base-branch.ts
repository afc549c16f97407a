import { Fault } from "@ralpher/contract";
import { readBranch } from "./read-ref.ts";
import { requireBegun, requirePlace } from "./require-place.ts";
import type { Room } from "./room.ts";
import { survey } from "./survey.ts";

/** What repositories call their main branch, the usual first. */
const usual = ["main", "master"];

/**
 * The branch that work of its own begins from: the wanted one, else the main one, else the one that is checked out.
 * One process. @throws Fault `branch_missing` for a wanted one that is not there, and those of a folder without any
 */
export async function baseBranch({ git }: Room, directory: string, wanted?: string): Promise<string> {
  const place = requirePlace(await survey(git, directory), directory);
  for (const branch of wanted === undefined ? usual : [wanted]) {
    if ((await readBranch(git, place.tree, branch)) !== null) return branch;
  }
  if (wanted !== undefined) throw new Fault("branch_missing", { branch: wanted });
  return requireBegun(place, directory).branch;
}
