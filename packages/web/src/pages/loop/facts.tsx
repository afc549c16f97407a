import { type GitFacts, isUnderWay, type LoopView } from "@ralpher/contract";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useNow } from "../../feed/clock.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { exactUsage, formatCost, formatCount, plural, tokensOf, unknown } from "../../words/count.ts";
import { cutMiddle, cutPath } from "../../words/cut.ts";
import { exactDuration, formatElapsed } from "../../words/duration.ts";
import { exactTime } from "../../words/time.ts";
import { hrefOf } from "./tabs.ts";

/** A loop's figures, on one line where there is room. */
export function Facts({ view, git: facts }: { view: LoopView; git: GitFacts | null }) {
  const { config, workspace, iteration, usage } = view;
  const tokens = tokensOf(usage);
  const git = workspace !== null && workspace.kind !== "plain" ? workspace : null;
  const model = config.model === undefined ? "" : ` ${config.model.modelID}`;
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1.5 max-sm:-mx-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:[scrollbar-width:none]">
      <Fact name="Iteration">
        {iteration}
        <span className="text-soft">{config.maxIterations === undefined ? "" : ` / ${config.maxIterations}`}</span>
      </Fact>
      <Fact name="Elapsed">
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
          <Fact name="Branch" title={`${git.workingBranch} into ${git.originalBranch}`}>
            {cutMiddle(git.workingBranch, 40)}
            <CopyButton text={git.workingBranch} what="the branch's name" className="-my-2 ml-0.5" />
            <span className="text-soft">→ {cutMiddle(git.originalBranch, 24)}</span>
            {facts !== null && facts.behind > 0 && (
              <Link
                href={hrefOf(view.id, "git")}
                title={`${git.originalBranch} has ${plural(facts.behind, "commit")} that this branch lacks`}
                className="ml-2 rounded-sm bg-need-tint px-1 font-sans font-medium text-need hover:underline"
              >
                {facts.behind} behind
              </Link>
            )}
          </Fact>
        </>
      )}
      <Fact name="Folder" title={config.directory} className="max-md:hidden">
        {cutPath(config.directory, 32)}
        <CopyButton text={config.directory} what="the folder's path" className="-my-2 ml-0.5" />
      </Fact>
      <Fact name="Agent" className="max-md:hidden">
        {config.backend.type}
        <span className="text-soft">{cutMiddle(model, 32)}</span>
      </Fact>
    </dl>
  );
}

function Fact({
  name,
  title,
  className = "",
  children,
}: {
  name: string;
  title?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={`max-w-full min-w-0 max-sm:shrink-0 ${className}`}>
      <dt className="text-small text-soft">{name}</dt>
      <dd className="figure flex h-5 items-center whitespace-pre" title={title}>
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
  const end = isUnderWay(view) ? now : Date.parse(view.completedAt ?? view.lastActivityAt);
  const elapsed = Math.max(0, end - start);
  return <span title={`${exactDuration(elapsed)}, since ${exactTime(start)}`}>{formatElapsed(elapsed)}</span>;
}
