import {
  type EventBody,
  Fault,
  type GitWorkspace,
  type LoopView,
  type PullRequest,
  type PullRequestText,
  type PushResult,
  statusWord,
} from "@ralpher/contract";
import { type EngineParts, eventsOf } from "./engine/execution.ts";

type Parts = Pick<EngineParts, "journal" | "workspaces" | "clock">;

/** Hosts take some ten thousand characters; a goal can have a million. */
const longestGoal = 20_000;

/** Push the loop's branch as it is now, whatever the loop is doing. @throws Fault `illegal_transition` without a branch */
export async function push(parts: Parts, view: LoopView, remote: string | undefined): Promise<PushResult> {
  const pushed = await parts.workspaces.push(requireBranch(view, "push"), remote);
  const { compareUrl: _, ...fact } = pushed;
  await record(parts, view, { type: "loop.pushed", ...fact });
  return pushed;
}

/** Push what is not pushed yet, then make a pull request of it, find the one there is, or the page for it. */
export async function makePullRequest(
  parts: Parts,
  view: LoopView,
  { title, body, draft = false, remote }: Partial<PullRequestText> = {},
): Promise<PullRequest> {
  const workspace = requireBranch(view, "make a pull request");
  const facts = await parts.workspaces.facts(workspace);
  if (!facts.pushed || (remote !== undefined && remote !== facts.remote)) await push(parts, view, remote);
  const text = { title: title ?? view.config.name, body: body ?? bodyOf(view), draft, remote };
  const made = await parts.workspaces.pullRequest(workspace, text);
  // The page where one could be made is no pull request.
  if (made.kind !== "compare" && made.url !== view.pullRequest) {
    await record(parts, view, { type: "loop.pull_request", url: made.url });
  }
  return made;
}

/** The goal, and what came of it. */
function bodyOf({ config, iteration, commits, commitCount }: LoopView): string {
  const goal = config.prompt.trim();
  const cut = goal.length > longestGoal ? `${goal.slice(0, longestGoal)}…` : goal;
  const lines = commits.map(({ sha, message }) => `- ${sha.slice(0, 10)} ${message.split("\n")[0]}`);
  const older = commitCount > commits.length ? [`- and ${commitCount - commits.length} before`] : [];
  return [
    cut,
    "",
    "---",
    "",
    `${count(iteration, "iteration")}, ${count(commitCount, "commit")}`,
    "",
    ...lines,
    ...older,
  ]
    .join("\n")
    .trimEnd();
}

const count = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`;

function requireBranch({ workspace, phase }: LoopView, command: string): GitWorkspace {
  if (workspace !== null && workspace.kind !== "plain") return workspace;
  const status = statusWord(phase.status);
  throw new Fault("illegal_transition", { command, status, hint: "It has no branch." });
}

async function record({ journal, clock }: Parts, { id }: LoopView, body: EventBody): Promise<void> {
  await journal.append(id, (now) => {
    if (now === null) throw new Fault("loop_not_found", { id });
    return eventsOf(id, clock.now(), [body]);
  });
}
