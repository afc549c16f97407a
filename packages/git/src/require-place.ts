import { Fault } from "@ralpher/contract";
import type { Survey } from "./survey.ts";
import type { Tree } from "./tree.ts";

/** A folder in the checked-out tree of a repository, whatever that is on. */
export type Place = Extract<Survey, { tree: Tree }>;

/** @throws Fault `directory_missing`, `bare_repository`, `not_a_repository` */
export function requirePlace(found: Survey, directory: string): Place {
  if ("tree" in found) return found;
  if (found.kind === "missing") throw new Fault("directory_missing", { directory });
  if (found.kind === "bare") throw new Fault("bare_repository", { directory });
  throw new Fault("not_a_repository", { directory });
}

/** One whose checkout is on a branch that has commits. @throws Fault `no_commits`, `detached_head` */
export function requireBegun(place: Place, directory: string): Extract<Place, { kind: "repository" }> {
  if (place.kind === "no_commits") throw new Fault("no_commits", { directory });
  if (place.kind === "detached") throw new Fault("detached_head", { directory });
  return place;
}
