import { type PullRequest, type PullRequestText, parse, toLoop, UpdateLoopRequest } from "@ralpher/contract";
import { dim, good } from "../print/style.ts";
import { plural, printable } from "../print/words.ts";
import { print, printJson, withRalpher } from "../session.ts";

type Json = { json?: true | undefined };

/** `ralpher loop update-branch` */
export const loopUpdateBranch = (text: string, { rebase, json }: { rebase?: true | undefined } & Json) =>
  withRalpher(async ({ hub }) => {
    const loopId = await hub.resolve(text);
    const before = await hub.facts(loopId);
    const view = await hub.dispatch({ type: "update-branch", loopId, method: rebase === true ? "rebase" : "merge" });
    if (view === null) return;
    if (json === true) return printJson(toLoop(view));
    if (before === null || before.behind === 0) return print("It has all of it already.");
    print(good(`✓ ${plural(before.behind, "commit")} of ${before.target} came in; the branch is at ${view.head}`));
  });

/** `ralpher loop restore` */
export const loopRestore = (text: string, { json }: Json) =>
  withRalpher(async ({ hub }) => {
    const view = await hub.dispatch({ type: "restore", loopId: await hub.resolve(text) });
    if (view === null) return;
    if (json === true) return printJson(toLoop(view));
    const branch = view.workspace !== null && "workingBranch" in view.workspace ? view.workspace.workingBranch : "";
    print(good(`✓ ${branch} is back at ${view.head}`));
  });

/** `ralpher loop target` */
export const loopTarget = (text: string, branch: string, { json }: Json) =>
  withRalpher(async ({ hub }) => {
    const changes = parse(UpdateLoopRequest, { target: branch }, "loop");
    const view = await hub.dispatch({ type: "update", loopId: await hub.resolve(text), changes });
    if (view === null) return;
    if (json === true) return printJson(toLoop(view));
    print(good(`✓ It merges into ${printable(branch)} from now on`));
  });

/** `ralpher loop push` */
export const loopPush = (text: string, { remote, json }: { remote?: string | undefined } & Json) =>
  withRalpher(async ({ hub }) => {
    const pushed = await hub.push(await hub.resolve(text), { remote });
    if (json === true) return printJson(pushed);
    print(good(`✓ ${pushed.branch} is at ${pushed.remote} as ${pushed.head}`));
    if (pushed.compareUrl !== null) print(dim(`Make a pull request: ${printable(pushed.compareUrl)}`));
  });

/** `ralpher loop pr` */
export const loopPr = (
  text: string,
  { json, ...wanted }: { [K in keyof PullRequestText]?: PullRequestText[K] | undefined } & Json,
) =>
  withRalpher(async ({ hub }) => {
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const made = await hub.pullRequest(await hub.resolve(text), given);
    if (json === true) printJson(made);
    else printPullRequest(made);
  });

export function printPullRequest({ kind, url }: PullRequest): void {
  print(words[kind]);
  print(printable(url));
}

const words = {
  created: good("✓ The pull request is made:"),
  exists: good("✓ There is one already, and it has the branch as it is now:"),
  compare: "The branch is pushed; make the pull request here:",
};
