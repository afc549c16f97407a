import { type GitWorkspace, isUnderWay, type LoopView } from "@ralpher/contract";
import type { ReactNode } from "react";
import { ActionButton } from "../../../act/action-button.tsx";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { branchActions, restore } from "../../../words/actions.ts";
import { plural } from "../../../words/count.ts";
import { cutPath } from "../../../words/cut.ts";
import type { KnownGit } from "../use-git-facts.ts";
import { Commits } from "./commits.tsx";

/** Where the loop's work is in git: its branch and how it stands to the target, its worktree, the remote, its commits. */
export function GitTab({ view, git: { facts, refusal, refresh } }: { view: LoopView; git: KnownGit }) {
  const { workspace } = view;
  return (
    <section
      aria-label="Git"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="absolute inset-0 overflow-y-auto px-4 py-5 -outline-offset-2 lg:px-6"
    >
      {workspace === null || workspace.kind === "plain" ? (
        <p className="text-soft">There is no branch yet. The loop makes one of its own when it starts.</p>
      ) : (
        <div className="flex max-w-[64rem] flex-col gap-6">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-6 gap-y-3">
            <Branch view={view} workspace={workspace} git={{ facts, refusal, refresh }} />
          </dl>
          {refusal !== null && facts === null && (
            <Problem title="Git could not be asked" refusal={refusal} onRetry={refresh} />
          )}
          <Commits view={view} />
        </div>
      )}
    </section>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-small text-soft">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">{children}</dd>
    </>
  );
}

function Branch({ view, workspace, git: { facts } }: { view: LoopView; workspace: GitWorkspace; git: KnownGit }) {
  const target = { id: view.id, name: view.config.name };
  const { status } = view.phase;
  const over = status === "accepted" || status === "discarded";
  const branchGone = facts !== null && facts.head === null;
  return (
    <>
      <Line name="Branch">
        <Mono text={workspace.workingBranch} what="the branch's name" />
        {branchGone && <span className="text-soft">is gone</span>}
        {facts?.restorable === true && status === "discarded" && <ActionButton target={target} action={restore} />}
      </Line>
      <Line name="Into">
        <Mono text={workspace.originalBranch} what="the target's name" />
        {facts !== null && facts.targetHead === null && <span className="text-bad">is gone</span>}
      </Line>
      {facts !== null && !branchGone && !over && (
        <Line name="Stands">
          <span>
            {facts.ahead === 0 ? "no commits of its own" : `${plural(facts.ahead, "commit")} ahead`}
            {facts.behind > 0 && (
              <>
                {", "}
                <span className="font-medium text-need">{facts.behind} behind</span>
              </>
            )}
            {facts.behind === 0 && facts.ahead > 0 && ", up to date with its target"}
          </span>
          {facts.behind > 0 &&
            (isUnderWay(view) ? (
              <span className="text-small text-soft">Pause the loop to update its branch.</span>
            ) : (
              <ActionButton target={target} action={branchActions.updateBranch} />
            ))}
        </Line>
      )}
      {facts !== null && facts.uncommitted > 0 && (
        <Line name="Not saved yet">{plural(facts.uncommitted, "changed file")} in its tree, in no commit so far</Line>
      )}
      {!branchGone && status !== "discarded" && (
        <Line name={workspace.kind === "worktree" ? "Worktree" : "Checkout"}>
          <Mono text={workspace.directory} what="the folder's path" path />
        </Line>
      )}
      <Line name="Repository">
        <Mono text={workspace.repository} what="the repository's path" path />
      </Line>
      {facts !== null && !branchGone && (
        <Line name="Remote">
          {facts.remote === null ? (
            <span className="text-soft">none to push to</span>
          ) : (
            <>
              <span className="figure">{facts.remote}</span>
              <span className="text-soft">
                {facts.pushed ? "has the branch as it is here" : "does not have it yet"}
              </span>
              {!facts.pushed && facts.ahead > 0 && <ActionButton target={target} action={branchActions.push} />}
            </>
          )}
        </Line>
      )}
      {(view.pullRequest !== null || (facts !== null && facts.remote !== null && facts.ahead > 0)) && (
        <Line name="Pull request">
          {view.pullRequest === null ? (
            <ActionButton target={target} action={branchActions.pullRequest} />
          ) : (
            <a
              href={view.pullRequest}
              target="_blank"
              rel="noopener noreferrer"
              className="min-w-0 truncate text-run underline underline-offset-2"
            >
              {view.pullRequest}
            </a>
          )}
        </Line>
      )}
    </>
  );
}

function Mono({ text, what, path = false }: { text: string; what: string; path?: boolean }) {
  return (
    <span className="figure flex max-w-full min-w-0 items-center" title={text}>
      <span className="min-w-0 truncate">{path ? cutPath(text, 80) : text}</span>
      <CopyButton text={text} what={what} className="-my-2 ml-0.5" />
    </span>
  );
}
