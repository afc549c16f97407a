import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BranchUpdate, type GitWorkspace, UpdateMethod } from "@ralpher/contract";
import { findHome } from "./home.ts";
import { findKey } from "./loop-record.ts";
import { readBranch } from "./read-ref.ts";
import type { Room } from "./room.ts";
import { readText } from "./tree.ts";

type PlannedUpdate = BranchUpdate & { kind: "updated"; method: UpdateMethod };

/** What an update will have brought about, written down before the branch moves (`<root>/<key>.update`). */
export async function writePlan(room: Room, workspace: GitWorkspace, plan: PlannedUpdate): Promise<void> {
  const key = await findKey(room, workspace);
  if (key === null) return;
  const path = await pathOf(room, key);
  await writeFile(`${path}.tmp`, `${JSON.stringify(plan)}\n`);
  await rename(`${path}.tmp`, path);
}

/**
 * The newest update, if it took place: the branch has been where the plan says. A process that died may have recorded it
 * nowhere else.
 */
export async function findUpdate(room: Room, workspace: GitWorkspace): Promise<PlannedUpdate | null> {
  const key = await findKey(room, workspace);
  const plan = key === null ? null : parsePlan(await readText(await pathOf(room, key)));
  const home = plan === null ? null : await findHome(workspace);
  const tip = home === null ? null : await readBranch(room.git, home, workspace.workingBranch);
  if (plan === null || home === null || tip === null) return null;
  if (tip === plan.head) return plan;
  // Not `isAncestor`: what came to nothing may have been swept up by git since.
  const args = ["merge-base", "--is-ancestor", plan.head, tip];
  return (await room.git.run(args, { cwd: home.top })).code === 0 ? plan : null;
}

export async function removePlan(room: Room, key: string): Promise<void> {
  await rm(await pathOf(room, key), { force: true });
}

const pathOf = async (room: Room, key: string) => join(await room.root(), `${key}.update`);

function parsePlan(text: string | null): PlannedUpdate | null {
  if (text === null) return null;
  try {
    const { method, baseSha, head } = JSON.parse(text);
    if (typeof baseSha !== "string" || typeof head !== "string") return null;
    return { kind: "updated", method: UpdateMethod.parse(method), baseSha, head };
  } catch {
    return null;
  }
}
