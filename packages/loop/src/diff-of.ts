import type { DiffQuery, FileDiff, Journal, LoopView, Workspaces } from "@ralpher/contract";

/** What changed in a loop, as asked. Empty without git, and of an iteration that made no commit. */
export async function diffOf(
  { journal, workspaces }: { journal: Journal; workspaces: Workspaces },
  { id, workspace }: LoopView,
  of: DiffQuery = {},
): Promise<FileDiff[]> {
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
