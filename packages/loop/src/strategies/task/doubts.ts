import type { LoopView, TaskFile, TaskStep, VaultLook } from "@ralpher/contract";

export type Doubts = Pick<VaultLook, "doubted" | "carried" | "isMarkDoubted">;

/**
 * Agents tick boxes, reword them and mark tasks complete, too, whatever they were told. What came to be ticked during the
 * iteration that just ended counts as open where a check has not been run, and where the agent itself said that it is not
 * done; a step that was put in other words meanwhile takes its check along; and a mark does not end a task while a check
 * has not passed.
 */
export function doubtsAfter({ lastEnd, iteration, task }: LoopView, file: TaskFile): Doubts {
  const known = task?.look ?? null;
  const last = task?.last ?? null;
  if (known === null) return { doubted: [], carried: {}, isMarkDoubted: false };
  const leaves = file.steps.filter(({ isParent }) => !isParent);
  const isAfter = lastEnd !== null && last?.iteration === iteration;
  const lost = isAfter && last?.result !== "success" ? lostStep(known, last?.step, leaves) : null;
  const fresh = isAfter ? leaves.filter((leaf) => isDoubtful(leaf, known, last?.step, lost !== null)) : [];
  const carried = { ...known.carried };
  if (lost?.verify) for (const { key } of fresh.filter((leaf) => isNew(leaf, known))) carried[key] ??= lost.verify;
  const isThrough = (key: string) => key === task?.skip || (last?.step === key && last.result === "success");
  const doubted = [...new Set([...known.doubted, ...fresh.map(({ key }) => key)])].filter(
    (key) => leaves.some((leaf) => leaf.key === key && leaf.done) && !isThrough(key),
  );
  return {
    doubted,
    carried: Object.fromEntries(Object.entries(carried).filter(([key]) => leaves.some((leaf) => leaf.key === key))),
    isMarkDoubted:
      file.markedComplete && (known.isMarkDoubted || (isAfter && !known.isDone)) && hasOpenCheck(leaves, doubted),
  };
}

/** The file's steps as they count. */
export function believed(file: TaskFile, { doubted, carried }: Doubts): TaskStep[] {
  return file.steps.map((step) => ({
    ...step,
    done: step.done && !doubted.includes(step.key),
    verify: step.verify ?? carried[step.key] ?? null,
  }));
}

/** The step that was worked on without success, when it is not there any more by its words. */
function lostStep(known: VaultLook, key: string | undefined, leaves: TaskStep[]): VaultLook["steps"][number] | null {
  if (key === undefined || leaves.some((leaf) => leaf.key === key)) return null;
  return known.steps.find((step) => step.key === key) ?? null;
}

function isNew({ key }: TaskStep, known: VaultLook): boolean {
  return !known.steps.some((step) => step.key === key);
}

function isDoubtful(leaf: TaskStep, known: VaultLook, worked: string | undefined, isWorkedLost: boolean): boolean {
  if (!leaf.done) return false;
  const before = known.steps.find(({ key }) => key === leaf.key);
  if (before === undefined) return isWorkedLost || leaf.verify !== null;
  return !before.done && (leaf.verify !== null || before.verify !== null || leaf.key === worked);
}

function hasOpenCheck(leaves: TaskStep[], doubted: string[]): boolean {
  return leaves.some(({ done, key, verify }) => verify !== null && (!done || doubted.includes(key)));
}
