import {
  type DiffQuery,
  Fault,
  type FileDiff,
  isFault,
  type Journal,
  type LoopView,
  shortId,
  type Workspaces,
} from "@ralpher/contract";

interface Parts {
  journal: Journal;
  workspaces: Workspaces;
}

/**
 * What changed in a loop, as asked. Empty without git, and of an iteration that made no commit.
 * @throws Fault `illegal_transition` when it was discarded and its branch is gone, and those of the workspace
 */
export async function diffOf(parts: Parts, view: LoopView, of: DiffQuery = {}): Promise<FileDiff[]> {
  return await read(parts, view, of).catch((error) => {
    if (view.phase.status !== "discarded" || !isFault(error, "branch_missing")) throw error;
    const hint = `Bring it back first: ralpher loop restore ${shortId(view.id)}.`;
    throw new Fault("illegal_transition", { command: "show its changes", status: "discarded", hint }, { cause: error });
  });
}

async function read({ journal, workspaces }: Parts, { id, workspace }: LoopView, of: DiffQuery): Promise<FileDiff[]> {
  if (workspace === null || workspace.kind === "plain") return [];
  if (!("iteration" in of)) return await workspaces.diff(workspace, of);
  const { iteration, ...rest } = of;
  const commits: string[] = [];
  for (let after = 0; ; ) {
    const events = await journal.read({ loopId: id, types: ["loop.git.commit"], after });
    const last = events.at(-1);
    if (last === undefined) break;
    after = last.seq;
    for (const event of events) {
      if (event.type === "loop.git.commit" && event.iteration === iteration) commits.push(event.commit.sha);
    }
    // Iterations come one after the other.
    if ("iteration" in last && last.iteration > iteration) break;
  }
  const [first, last] = [commits[0], commits.at(-1)];
  return first === undefined || last === undefined ? [] : await workspaces.diff(workspace, { ...rest, first, last });
}
