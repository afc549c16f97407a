import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { Project } from "@ralpher/contract";
import { Fault } from "@ralpher/contract/fault";
import type { Checkout } from "./checkout.ts";
import { findCheckout } from "./checkout.ts";
import { findProject, registerProject } from "./item-rows.ts";
import { itemsFile } from "./items-file.ts";
import { nameOfProjectId } from "./project-name.ts";

/** Where a project's items are read from and written to on behalf of one checkout. */
export interface Place extends Checkout {
  /** The JSONL file of this checkout. */
  file: string;
  /**
   * Under which metadata key it is noted when the file was last read or written. The registered checkout's is the
   * original's; every other checkout of the project has its own, for its file has its own history.
   */
  syncKey: string;
}

/** The place of a checkout. */
export function placeOf(db: Database, checkout: Checkout): Place {
  const { project, root } = checkout;
  const registered = findProject(db, "id", project.id)?.path;
  const home = registered !== undefined && existsSync(registered) ? registered : project.path;
  const syncKey = `last_sync:${project.id}`;
  return { ...checkout, file: itemsFile(root), syncKey: root === home ? syncKey : `${syncKey} in ${root}` };
}

/** The place of a registered project. @throws Fault `project_unknown` when its folder is gone */
export function placeOfProject(db: Database, projectId: string): Place {
  const path = findProject(db, "id", projectId)?.path ?? projectId;
  if (!path.startsWith("/") || !existsSync(path)) throw new Fault("project_unknown", { project: projectId });
  const checkout = findCheckout(path);
  if (checkout?.root === path) return placeOf(db, checkout);
  const project = { id: projectId, name: nameOfProjectId(projectId), path };
  return placeOf(db, { project, root: path });
}

/**
 * Does the project have items yet? It does when the database knows it, under its id or by its folder: then checkouts
 * without a file of their own share its items, a worktree whose branch carries none, and the main checkout when it was
 * begun in a worktree. @throws Fault `project_not_initialized`
 */
export function requireInitialized(db: Database, place: Place): void {
  const { project, root } = place;
  if ((findProject(db, "id", project.id) ?? findProject(db, "current_path", project.path)) !== null) return;
  const paths = [root, project.path];
  if (!paths.some((path) => existsSync(itemsFile(path)))) {
    throw new Fault("project_not_initialized", { directory: root });
  }
}

/** Note where the project is, when that is not known or not true any more. */
export function ensureRegistered(db: Database, { project }: Place): void {
  const registered = findProject(db, "id", project.id);
  if (registered === null || !existsSync(registered.path)) registerProject(db, project);
}

/** A project by name, or by the path of its folder. @throws Fault `project_unknown` */
export function requireProject(db: Database, choice: string, real: (path: string) => string): Project {
  const looksLikePath = choice.includes("/") || choice.startsWith("~");
  const project = looksLikePath
    ? (findProject(db, "current_path", real(choice)) ?? findProject(db, "id", real(choice)))
    : findProject(db, "name", choice);
  if (project === null) throw new Fault("project_unknown", { project: choice });
  return project;
}
