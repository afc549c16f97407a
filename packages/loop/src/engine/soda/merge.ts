import { blockedWord, type ItemChange, type LoopView, type WorkItems } from "@ralpher/contract";
import { ourSources } from "../../strategies/soda/others-changes.ts";
import { keyOf } from "../../strategies/soda/repeats.ts";
import { commitsOf } from "../commit.ts";
import type { Execution, Performer } from "../execution.ts";
import { changeOf } from "./change-of.ts";
import { requireOpen, requireSoda } from "./requires.ts";

/** Bring the iteration's branch into the milestone's (X-7). */
export const performMerge: Performer<"merge"> = async (execution, { iteration }, view) => {
  const { branch } = requireOpen(view).progress;
  if (branch === null) throw new Error("there is no branch to merge");
  await mergeWorkBranch(execution, view, { branch: branch.name, since: branch.head, iteration });
};

export interface WorkBranch {
  branch: string;
  /** Where it was when last saved. */
  since: string;
  iteration: number;
}

/** Nothing is left uncommitted (X-5), then the merge; a conflict changes nothing, and becomes a blocker. */
export async function mergeWorkBranch(execution: Execution, view: LoopView, work: WorkBranch): Promise<void> {
  const { workspaces, record } = execution;
  const { workspace } = requireSoda(view);
  const { branch, since, iteration } = work;
  const { commitPrefix } = view.config.git;
  const message = `${commitPrefix} Iteration ${iteration}: what was left`;
  const saved = await workspaces.saveOn(workspace, branch, { since, message });
  const intent = view.soda?.open?.plan?.intent;
  const title = `${commitPrefix} Merge ${branch}${intent === undefined ? "" : `: ${intent}`}`;
  const merge = await workspaces.mergeBack(workspace, branch, title);
  const changes = merge.kind === "merged" ? [] : await reportConflict(execution, view, branch, merge.files);
  await record([
    ...commitsOf(saved, iteration),
    {
      type: "loop.branch.merged",
      iteration,
      branch,
      head: merge.kind === "merged" ? merge.sha : null,
      changes,
      ...(merge.kind === "conflict" ? { conflict: merge.files } : {}),
    },
  ]);
}

async function reportConflict(
  { openWorkItems }: Execution,
  view: LoopView,
  branch: string,
  files: string[],
): Promise<ItemChange[]> {
  const { soda, workspace } = requireSoda(view);
  const rootId = soda.root?.id ?? "";
  await using items = openWorkItems(workspace.directory);
  const title = `Resolve the merge conflict of ${branch}`;
  const known = await findOpen(items, rootId, title);
  if (known !== null) return [];
  const target = workspace.workingBranch;
  const description = `${branch} holds an iteration's work and could not be merged into ${target}: both changed ${files.join(", ")}. The branch is kept. Merge it (git merge ${branch}), keep what both meant, run the tests.`;
  const { id } = await items.create({ title, description, parentId: rootId, priority: 0, status: "blocked" });
  const content = `${blockedWord} conflict in ${files.join(", ")}`;
  await items.comment(id, { content, source: ourSources.soda });
  return [changeOf(await items.require(id), "created", content)];
}

async function findOpen(items: WorkItems, rootId: string, title: string) {
  const { items: all } = await items.snapshot(rootId);
  return all.find((item) => item.status !== "closed" && keyOf(item.title) === keyOf(title)) ?? null;
}
