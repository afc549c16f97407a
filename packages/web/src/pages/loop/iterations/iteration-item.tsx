import type { IterationDetail, LoopId } from "@ralpher/contract";
import ArrowRight from "lucide-react/icons/arrow-right";
import Check from "lucide-react/icons/check";
import ChevronRight from "lucide-react/icons/chevron-right";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleDot from "lucide-react/icons/circle-dot";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import CircleSlash from "lucide-react/icons/circle-slash";
import GitCommitHorizontal from "lucide-react/icons/git-commit-horizontal";
import X from "lucide-react/icons/x";
import { memo, type ReactNode } from "react";
import { Link } from "wouter";
import { useNow } from "../../../feed/clock.ts";
import { Ago } from "../../../parts/ago.tsx";
import { exactUsage, formatCost, formatCount, plural, tokensOf, unknown } from "../../../words/count.ts";
import { firstLine, plainWords } from "../../../words/cut.ts";
import { exactDuration, formatDuration, formatElapsed } from "../../../words/duration.ts";
import { outcomeWordOf } from "../../../words/iterations.ts";
import { TextBlock } from "../log/text-block.tsx";
import { hrefOf } from "../tabs.ts";

/** One iteration: how it ended, what it cost, what it said last; folded, what it was told and what it committed. */
export const IterationItem = memo(function IterationItem({
  id,
  detail,
  withGit,
  isTask,
}: {
  id: LoopId;
  detail: IterationDetail;
  withGit: boolean;
  isTask: boolean;
}) {
  const { iteration, commits, prompt, failure, lastText, attempts, toolCallCount, usage, step, report } = detail;
  const tokens = tokensOf(usage);
  const said = plainWords(report?.summary ?? lastText ?? "");
  return (
    <li className="offscreen-cheap flex flex-col gap-1.5 border-b border-line px-4 py-3 lg:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="font-semibold">Iteration {iteration}</h2>
        <Outcome detail={detail} isTask={isTask} />
        <span className="flex gap-3">
          <Place href={hrefOf(id, "log", { iteration })}>Log</Place>
          {withGit && commits.length > 0 && <Place href={hrefOf(id, "changes", { iteration })}>Changes</Place>}
        </span>
      </div>
      <p className="figure flex flex-wrap gap-x-4 gap-y-0.5 text-soft">
        <Length detail={detail} />
        <span>{plural(toolCallCount, "tool call")}</span>
        <span title={exactUsage(usage)}>{tokens === null ? unknown : formatCount(tokens)} tokens</span>
        <span title={exactUsage(usage)}>{formatCost(usage.costUsd)}</span>
        {attempts > 1 && <span>{attempts} attempts</span>}
        {(detail.said ?? 0) > 0 && <span className="text-need">you said something</span>}
        <Ago at={detail.startedAt} className="ml-auto" />
      </p>
      {step !== undefined && <p className="max-w-[90ch] font-medium [overflow-wrap:anywhere]">{plainWords(step)}</p>}
      {failure !== undefined && <p className="text-bad [overflow-wrap:anywhere]">{failure.message}</p>}
      {said !== "" && <p className="line-clamp-3 max-w-[90ch] [overflow-wrap:anywhere]">{said}</p>}
      {report?.error && <p className="max-w-[90ch] text-bad [overflow-wrap:anywhere]">{plainWords(report.error)}</p>}
      {commits.map(({ sha, message, filesChanged }) => (
        <p key={sha} className="flex min-w-0 items-center gap-2">
          <GitCommitHorizontal aria-hidden="true" className="size-3.5 shrink-0 text-good" />
          <Link
            href={hrefOf(id, "changes", { commit: sha })}
            className="figure shrink-0 rounded-sm text-run hover:underline touch:py-2"
          >
            {sha.slice(0, 8)}
          </Link>
          <span className="min-w-0 truncate" title={message}>
            {firstLine(message)}
          </span>
          <span className="shrink-0 text-small text-soft">{plural(filesChanged, "file")}</span>
        </p>
      ))}
      {prompt !== null && <Prompt text={prompt} />}
    </li>
  );
});

function Place({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="rounded-sm text-run hover:underline touch:py-2">
      {children}
    </Link>
  );
}

function Outcome({ detail: { outcome }, isTask }: { detail: IterationDetail; isTask: boolean }) {
  if (outcome === undefined) {
    return (
      <span className="inline-flex items-center gap-1.5 font-medium text-run">
        <CircleDot aria-hidden="true" className="size-4 animate-breathe" />
        under way
      </span>
    );
  }
  const look = {
    complete: "text-good",
    error: "text-bad",
    interrupted: "text-soft",
    continue: isTask ? "text-good" : "text-soft",
    partial: "text-soft",
    stuck: "text-need",
  }[outcome];
  const Glyph = {
    complete: Check,
    error: X,
    interrupted: CircleSlash,
    continue: isTask ? Check : ArrowRight,
    partial: CircleDashed,
    stuck: CircleHelp,
  }[outcome];
  return (
    <span className={`inline-flex items-center gap-1.5 ${look}`}>
      <Glyph aria-hidden="true" className="size-4" />
      {outcomeWordOf(outcome, isTask)}
    </span>
  );
}

function Length({ detail: { startedAt, completedAt } }: { detail: IterationDetail }) {
  if (completedAt === undefined) return <Running since={Date.parse(startedAt)} />;
  const length = Date.parse(completedAt) - Date.parse(startedAt);
  return <span title={exactDuration(length)}>{formatDuration(length)}</span>;
}

function Running({ since }: { since: number }) {
  return <span>{formatElapsed(useNow(1_000) - since)}</span>;
}

function Prompt({ text }: { text: string }) {
  return (
    <details className="group/prompt min-w-0">
      <summary className="flex w-fit max-w-full cursor-pointer list-none items-center gap-1.5 rounded-sm text-soft hover:text-ink touch:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 shrink-0 transition-transform duration-100 group-open/prompt:rotate-90"
        />
        <span className="shrink-0 text-small">Prompt</span>
        <span className="min-w-0 truncate text-small group-open/prompt:invisible">{firstLine(text)}</span>
      </summary>
      <div className="mt-1 max-w-[90ch]">
        <TextBlock text={text} what="the prompt" />
      </div>
    </details>
  );
}
