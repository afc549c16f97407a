import { basename } from "node:path";
import { Fault, type GitWorkspace, type PushResult } from "@ralpher/contract";
import { isDiskFull, shorten } from "./git-fault.ts";
import { requireHome } from "./home.ts";
import { requireBranch } from "./read-ref.ts";
import { compareUrl } from "./remote-page.ts";
import { type Remote, requireRemote } from "./remotes.ts";
import type { Room } from "./room.ts";
import type { GitResult } from "./run-git.ts";

/** The user's hooks may run their tests first. */
const longestMs = 2 * 60_000;

/**
 * Push the loop's branch as it is now under its own name. Never by force: a remote branch that has other commits is a
 * refusal. Nobody is asked anything: what the user's keys and credential helpers cannot answer fails at once.
 * @throws Fault `branch_missing`, `no_remote`, `push_failed`
 */
export async function push(room: Room, workspace: GitWorkspace, wanted?: string): Promise<PushResult> {
  const { git } = room;
  const home = await requireHome(workspace);
  const { workingBranch: branch, originalBranch: target } = workspace;
  const head = await requireBranch(git, home, branch);
  const remote = await requireRemote(git, home, workspace, wanted);
  const flags = ["--porcelain", "--no-force", "--no-follow-tags", "--recurse-submodules=no"];
  const result = await git.run(["push", ...flags, "--", remote.name, `${head}:refs/heads/${branch}`], {
    cwd: home.top,
    env: unasked(room.environment, remote),
    timeoutMs: longestMs,
  });
  if (result.code !== 0) {
    throw new Fault("push_failed", { branch, remote: remote.name, detail: withoutSecrets(whyNot(result)) });
  }
  return { remote: remote.name, branch, head, compareUrl: compareUrl(remote.page, branch, target) };
}

/** An environment in which nothing asks a person: no terminal, no window, no passphrase. */
function unasked(environment: Room["environment"], { sshCommand }: Remote): Record<string, string> {
  const ssh = environment.GIT_SSH_COMMAND ?? sshCommand ?? (environment.GIT_SSH === undefined ? "ssh" : null);
  const program = basename(ssh?.trim().split(/\s/)[0] ?? "");
  return {
    // Set and empty, it keeps git from looking for another program to ask with.
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    // Only OpenSSH is known to take this option.
    ...(ssh !== null && program === "ssh" ? { GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes` } : {}),
  };
}

function whyNot(result: GitResult): string {
  if (result.timedOut) return "it took too long and was ended.";
  if (isDiskFull(result)) return "the disk is full.";
  const refused = /^!\t[^\t]*\t(.*)$/m.exec(result.stdout)?.[1];
  if (refused?.includes("(fetch first)") || refused?.includes("(non-fast-forward)")) {
    return "the remote has commits on that branch that are not here. Fetch and merge them, or when the branch was rebased since, push it by hand with --force-with-lease; nothing is overwritten.";
  }
  const said = shorten(result.stderr.replace(/^(To .*|hint: .*)$/gm, ""));
  return [refused, said].filter(Boolean).join(": ") || `git ended with exit code ${result.code}.`;
}

/** Addresses without the name and password that may be in them. */
export function withoutSecrets(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/'"]*@/gi, "$1");
}
