import { Fault, type GitWorkspace } from "@ralpher/contract";
import { parseRemotePage, type RemotePage } from "./remote-page.ts";
import type { Git } from "./run-git.ts";
import type { Tree } from "./tree.ts";

/** Where a push goes to. */
export interface Remote {
  name: string;
  /** Null when it is no web host. */
  page: RemotePage | null;
  /** What the repository sets for ssh. */
  sshCommand: string | null;
}

/** The remote that the loop's branch is pushed to; null when there is none. Two processes; no network. */
export async function findRemote(git: Git, home: Tree, workspace: GitWorkspace): Promise<Remote | null> {
  const { urls, settings } = await read(git, home);
  const { workingBranch, originalBranch } = workspace;
  const wanted = [
    settings.get(`branch.${workingBranch}.pushremote`),
    settings.get("remote.pushdefault"),
    settings.get(`branch.${workingBranch}.remote`),
    settings.get(`branch.${originalBranch}.remote`),
    "origin",
    [...urls.keys()][0],
  ];
  const name = wanted.find((candidate) => candidate !== undefined && urls.has(candidate));
  return name === undefined ? null : remoteOf(name, urls, settings);
}

/** The remote with this name, or the one a push goes to. @throws Fault `no_remote` */
export async function requireRemote(
  git: Git,
  home: Tree,
  workspace: GitWorkspace,
  wanted: string | undefined,
): Promise<Remote> {
  const directory = workspace.repository;
  if (wanted === undefined) {
    const remote = await findRemote(git, home, workspace);
    if (remote === null) throw new Fault("no_remote", { directory, remote: null });
    return remote;
  }
  const { urls, settings } = await read(git, home);
  // Names only: an address could be anything, a program included.
  if (!urls.has(wanted)) throw new Fault("no_remote", { directory, remote: wanted });
  return remoteOf(wanted, urls, settings);
}

function remoteOf(name: string, urls: Map<string, string>, settings: Map<string, string>): Remote {
  return {
    name,
    page: parseRemotePage(urls.get(name) ?? ""),
    sshCommand: settings.get("core.sshcommand") ?? null,
  };
}

/** Addresses to push to, as git rewrites them, and the settings that choose among them. */
async function read(git: Git, home: Tree): Promise<{ urls: Map<string, string>; settings: Map<string, string> }> {
  const wanted = "^(core\\.sshcommand|remote\\.pushdefault|branch\\..*\\.(remote|pushremote))$";
  const [remotes, config] = await Promise.all([
    git.output(["remote", "-v"], { cwd: home.top }),
    git.run(["config", "-z", "--get-regexp", wanted], { cwd: home.top }),
  ]);
  const urls = new Map<string, string>();
  for (const line of remotes.split("\n")) {
    const [, name, url] = /^(\S+)\t(.*) \(push\)/.exec(line) ?? [];
    if (name !== undefined && url !== undefined && !urls.has(name)) urls.set(name, url);
  }
  const settings = new Map<string, string>();
  for (const entry of config.stdout.split("\0")) {
    const [key = "", ...value] = entry.split("\n");
    settings.set(key, value.join("\n"));
  }
  return { urls, settings };
}
