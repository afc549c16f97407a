import { Fault, type GitWorkspace, type PullRequest, type PullRequestText } from "@ralpher/contract";
import { requireHome } from "./home.ts";
import { compareUrl } from "./remote-page.ts";
import { type Remote, requireRemote } from "./remotes.ts";
import type { Room } from "./room.ts";
import { NotStarted, runProgram } from "./run-program.ts";

const longestMs = 45_000;

/**
 * Make a pull request of the pushed branch with GitHub's `gh`, or find the open one there is. Where `gh` is not there,
 * not logged in, or refuses, the answer is the page where a human makes it, and sees why not.
 * @throws Fault `no_remote`, `no_pull_request`
 */
export async function pullRequest(room: Room, workspace: GitWorkspace, request: PullRequestText): Promise<PullRequest> {
  const home = await requireHome(workspace);
  const remote = await requireRemote(room.git, home, workspace, request.remote);
  const { workingBranch: branch, originalBranch: target } = workspace;
  const made = await withGh(room, home.top, remote, { ...request, branch, target });
  if (made !== null) return made;
  const url = compareUrl(remote.page, branch, target);
  if (url === null) throw new Fault("no_pull_request", { branch, remote: remote.name });
  return { kind: "compare", url };
}

type Wanted = PullRequestText & { branch: string; target: string };

async function withGh(room: Room, cwd: string, { page }: Remote, wanted: Wanted): Promise<PullRequest | null> {
  if (page !== null && page.kind !== "github" && page.kind !== null) return null;
  const path = Bun.which("gh", { PATH: room.environment.PATH ?? "" });
  if (path === null) return null;
  // Without it, gh would ask which of several remotes is meant.
  const repository = page === null ? [] : ["--repo", `${page.host}/${decodeURIComponent(page.path)}`];
  const gh = (args: string[], stdin?: string) =>
    runGh([path, ...args, ...repository], { cwd, env: { ...room.environment, ...unasked }, stdin });

  const known = parseKnown(await gh(["pr", "view", wanted.branch, "--json", "url,state"]));
  if (known !== null) return { kind: "exists", url: known };
  const { branch, target, title, body, draft } = wanted;
  const options = ["--head", branch, "--base", target, "--title", title, "--body-file", "-"];
  const said = await gh(["pr", "create", ...options, ...(draft ? ["--draft"] : [])], body);
  const url = said?.split(/\s+/).findLast((word) => /^https?:\/\//.test(word) && URL.canParse(word));
  return url === undefined ? null : { kind: "created", url };
}

const unasked = { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1", CLICOLOR_FORCE: "0" };

/** What gh printed; null when it failed, for whatever reason. */
async function runGh(
  argv: string[],
  call: { cwd: string; env: Record<string, string>; stdin: string | undefined },
): Promise<string | null> {
  const result = await runProgram(argv, { ...call, timeoutMs: longestMs }).catch((error) => {
    if (error instanceof NotStarted) return null;
    throw error;
  });
  return result?.code === 0 ? result.stdout : null;
}

/** The open pull request of a branch; gh tells of a closed one too. */
function parseKnown(said: string | null): string | null {
  try {
    const { url, state } = JSON.parse(said ?? "null") ?? {};
    return state === "OPEN" && typeof url === "string" && URL.canParse(url) ? url : null;
  } catch {
    return null;
  }
}
