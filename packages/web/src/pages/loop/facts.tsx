import { type GitFacts, type LoopView, workedMs } from "@ralpher/contract";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useNow } from "../../feed/clock.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { exactUsage, formatCost, formatCount, plural, tokensOf, unknown } from "../../words/count.ts";
import { cutMiddle, cutPath } from "../../words/cut.ts";
import { exactDuration, formatElapsed } from "../../words/duration.ts";
import { exactTime } from "../../words/time.ts";
import { vaultHref } from "../../words/vaults.ts";
import { maxIterationsOf } from "./limits.ts";
import { hrefOf } from "./tabs.ts";

/** A loop's figures, on one line where there is room. */
export function Facts({ view, git: facts }: { view: LoopView; git: GitFacts | null }) {
  const { config, workspace, iteration, usage } = view;
  const tokens = tokensOf(usage);
  const most = maxIterationsOf(view);
  const git = workspace !== null && workspace.kind !== "plain" ? workspace : null;
  // Its branch has no more to do with its target.
  const over = view.phase.status === "accepted" || view.phase.status === "discarded";
  const model = config.model === undefined ? "" : ` ${config.model.modelID}`;
  const command = config.backend.command === undefined ? "" : ` ${config.backend.command.join(" ")}`;
  return (
    <dl className="flex gap-x-5 gap-y-1.5 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:[scrollbar-width:none]">
      <Fact name="Iteration">
        {iteration}
        <span className="text-soft">{most === undefined ? "" : ` / ${most}`}</span>
      </Fact>
      <Fact name="Worked">
        <Elapsed view={view} />
      </Fact>
      <Fact name="Tokens" title={exactUsage(usage)}>
        {tokens === null ? unknown : formatCount(tokens)}
      </Fact>
      <Fact name="Cost" title={exactUsage(usage)}>
        {formatCost(usage.costUsd)}
      </Fact>
      {git !== null && (
        <>
          <Fact name="Commits" title={plural(view.commitCount, "commit")}>
            {view.commitCount}
          </Fact>
          <Fact name="Branch" title={`${git.workingBranch} into ${git.originalBranch}`} shrinks>
            <CutBranch name={git.workingBranch} />
            <CopyButton text={git.workingBranch} what="the branch's name" className="-my-2 ml-0.5" />
            <span className="shrink-0 text-soft">→ {cutMiddle(git.originalBranch, 24)}</span>
            {facts !== null && facts.behind > 0 && !over && (
              <Link
                href={hrefOf(view.id, "git")}
                title={`${git.originalBranch} has ${plural(facts.behind, "commit")} that this branch lacks`}
                className="ml-2 shrink-0 rounded-sm bg-need-tint px-1 font-sans font-medium text-need hover:underline"
              >
                {facts.behind} behind
              </Link>
            )}
          </Fact>
        </>
      )}
      <Fact
        name={view.task === null ? "Folder" : "Vault"}
        title={config.directory}
        className={view.task === null ? "max-lg:hidden" : ""}
        shrinks
      >
        {view.task === null ? (
          <span className="truncate">{cutPath(config.directory, 32)}</span>
        ) : (
          <Link href={vaultHref(config.directory)} className="truncate rounded-sm text-run hover:underline">
            {cutPath(config.directory, 32)}
          </Link>
        )}
        <CopyButton text={config.directory} what="the folder's path" className="-my-2 ml-0.5" />
      </Fact>
      <Fact name="Agent" title={`${config.backend.type}${command}${model}`} className="max-md:hidden" shrinks>
        <span className="truncate">
          {config.backend.type}
          <span className="text-soft">
            {cutMiddle(command, 32)}
            {cutMiddle(model, 32)}
          </span>
        </span>
      </Fact>
    </dl>
  );
}

/** So much of a branch's end tells it from others of the same goal. */
const branchEnd = 12;

/** A branch's name that gives way in its middle where there is no room for all of it. */
function CutBranch({ name }: { name: string }) {
  return (
    <span className="flex min-w-0">
      <span className="max-w-[28ch] truncate">{name.slice(0, -branchEnd)}</span>
      <span className="shrink-0">{name.slice(-branchEnd)}</span>
    </span>
  );
}

function Fact({
  name,
  title,
  className = "",
  shrinks = false,
  children,
}: {
  name: string;
  title?: string;
  className?: string;
  /** It gives way where there is no room for all: the facts are one line, so that nothing under them moves. */
  shrinks?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={`${shrinks ? "min-w-0 max-sm:shrink-0" : "shrink-0"} ${className}`}>
      <dt className="text-small text-soft">{name}</dt>
      <dd className="figure flex h-5 min-w-0 items-center whitespace-pre" title={title}>
        {children}
      </dd>
    </div>
  );
}

/** From its start to its end, or until now while it is under way. */
function Elapsed({ view }: { view: LoopView }) {
  const now = useNow(1_000);
  if (view.startedAt === null) return unknown;
  const start = Date.parse(view.startedAt);
  const worked = workedMs(view, now);
  return <span title={`${exactDuration(worked)} of work, begun ${exactTime(start)}`}>{formatElapsed(worked)}</span>;
}
