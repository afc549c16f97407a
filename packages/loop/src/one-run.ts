import { resolve } from "node:path";
import {
  type CreateLoopRequest,
  Fault,
  isUnderWay,
  isUnfinished,
  type Journal,
  type LoopView,
  type Projects,
  statusWord,
} from "@ralpher/contract";
import { requireFree } from "./vaults/task-preconditions.ts";

type Wanted = Pick<CreateLoopRequest, "directory" | "strategy" | "another">;

/**
 * One run a spec at a time: is there one of this spec in this folder to go on with? Nothing for other strategies, and where
 * another one was asked for. @throws Fault `spec_taken`
 */
export async function requireOnlyRun(journal: Journal, { directory, strategy, another }: Wanted): Promise<void> {
  if (strategy.type !== "soda" || another === true) return;
  const spec = resolve(directory, strategy.spec);
  const found = await findUnfinished(journal, directory, spec);
  if (found === null) return;
  throw new Fault("spec_taken", {
    spec,
    id: found.id,
    status: isUnderWay(found) ? "under way" : statusWord(found.phase.status),
  });
}

/** That, and that no other loop has the task, asked with everybody else kept from beginning until this is disposed; null: nobody need be. */
export async function holdBeginning(
  { journal, projects }: { journal: Journal; projects: Projects },
  wanted: Wanted,
): Promise<Disposable | null> {
  const { strategy, directory } = wanted;
  if (strategy.type === "ralph" || (strategy.type === "soda" && wanted.another === true)) return null;
  const lock = await projects.lockBeginning();
  try {
    if (strategy.type === "task") await requireFree(journal, directory, strategy.file);
    else await requireOnlyRun(journal, wanted);
    return lock;
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

async function findUnfinished(journal: Journal, directory: string, spec: string): Promise<LoopView | null> {
  for (const { config, state } of await journal.list({ text: directory })) {
    if (config.strategy !== "soda" || config.directory !== directory || !isUnfinished(state.status)) continue;
    const view = await journal.find(config.id);
    if (view?.config.strategy.type === "soda" && resolve(directory, view.config.strategy.spec) === spec) return view;
  }
  return null;
}
