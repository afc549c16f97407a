import type { LoopSummary } from "@ralpher/contract";
import FileDiff from "lucide-react/icons/file-diff";
import MessageSquare from "lucide-react/icons/message-square";
import { memo, useState } from "react";
import { Link } from "wouter";
import { ActionButton } from "../../act/action-button.tsx";
import type { Doing } from "../../feed/loops-state.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button, buttonLook, IconButton } from "../../parts/button.tsx";
import { Spark } from "../../parts/spark.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { actionsFor } from "../../words/actions.ts";
import { bandOf } from "../../words/bands.ts";
import { exactUsage, formatCost, formatCount, tokensOf, unknown } from "../../words/count.ts";
import { progressOf } from "../../words/progress.ts";
import { standingOf } from "../../words/state.ts";
import { answerId } from "../loop/answer.ts";
import { Progress } from "./progress.tsx";
import { ReplyBox } from "./reply-box.tsx";
import { RowTime } from "./row-time.tsx";
import { Said } from "./said.tsx";

/** One loop's line. The whole line opens the loop; its actions lie above that. */
export const LoopRow = memo(function LoopRow({ loop, doing }: { loop: LoopSummary; doing: Doing | null }) {
  const { config, state } = loop;
  const [replying, setReplying] = useState(false);
  const tokens = tokensOf(state.usage);
  const progress = progressOf(loop);
  const about = config.file ?? config.goal;
  return (
    <li
      data-band={bandOf(standingOf(loop))}
      className="loop-row offscreen-cheap relative border-b border-line transition-colors duration-100 last:border-b-0 hover:bg-panel has-[a[data-loop]:focus-visible]:bg-panel"
    >
      <div className="state flex items-center gap-2 overflow-hidden">
        <StateMark {...standingOf(loop)} />
        <span className="narrow text-small text-soft">
          <span className="figure text-ink">
            {progress.done}
            <span className="text-soft">{progress.limit === undefined ? "" : ` / ${progress.limit}`}</span>
          </span>
          <Ago at={state.lastActivityAt ?? config.createdAt} />
        </span>
      </div>
      <div className="name flex min-w-0 items-baseline gap-3">
        <Link
          href={`/${config.id}`}
          data-loop={config.id}
          title={config.name}
          className="loop-name shrink-0 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-run"
        >
          {config.name}
        </Link>
        {about !== undefined && !about.startsWith(config.name.replace(/…$/, "")) && (
          <span
            className={`goal min-w-0 truncate text-soft ${config.file === undefined ? "text-small" : "figure"}`}
            title={about}
          >
            {about}
          </span>
        )}
      </div>
      <div className="said min-w-0">
        <Said loop={loop} doing={doing} />
      </div>
      <div className="spark wide">
        <Spark outcomes={state.outcomes} open={state.status === "running"} />
      </div>
      <div className="count wide">
        <Progress {...progress} />
      </div>
      <div className="usage wide figure text-right" title={exactUsage(state.usage)}>
        {tokens === null ? unknown : formatCount(tokens)} <span className="text-soft">tok</span>
        <span className="inline-block min-w-[4em] text-soft">{formatCost(state.usage.costUsd)}</span>
      </div>
      <div className="when wide text-right text-small text-soft tabular-nums">
        <RowTime loop={loop} />
      </div>
      <div className="actions relative z-10 flex justify-end gap-1">
        <RowActions loop={loop} replying={replying} onReply={() => setReplying(!replying)} />
      </div>
      {replying && (
        <div className="below">
          <ReplyBox target={{ id: config.id, name: config.name }} onDone={() => setReplying(false)} />
        </div>
      )}
    </li>
  );
});

/** So many glyphs stand beside the best action; the loop's own page has everything. */
const mostBeside = 4;

/** What else one would do from here, as glyphs; then the best action, in words at the edge. */
function RowActions({ loop, replying, onReply }: { loop: LoopSummary; replying: boolean; onReply: () => void }) {
  const { config, state } = loop;
  const target = { id: config.id, name: config.name };
  const { asked, mergeable } = state;
  const { calledOff, ...standing } = standingOf(loop);
  const actions = actionsFor(state.status, { asked, mergeable, strategy: config.strategy, calledOff });
  const needsYou = bandOf({ calledOff, ...standing }) === "needs-you";
  const asks = state.handOff !== undefined;
  // A question is answered, not started again.
  const answers = state.status === "stuck" && !asks;
  const best = answers || asks ? undefined : actions.find(({ name }) => name !== "delete");
  const beside =
    config.strategy === "task"
      ? ["pause", "start"]
      : answers
        ? ["start", "discard"]
        : needsYou
          ? ["stop", "accept", "discard"]
          : ["stop"];
  const more = actions
    .filter((action) => action !== best && action.name !== best?.name && beside.includes(action.name))
    .slice(0, mostBeside - (needsYou ? (answers ? 1 : 2) : 0));
  return (
    <>
      {needsYou && state.mergeable && (
        <Link
          href={`/${config.id}/changes`}
          aria-label={`Review ${config.name}`}
          title="Review the changes"
          className={buttonLook("quiet", "w-8 touch:w-11")}
        >
          <FileDiff aria-hidden="true" />
        </Link>
      )}
      {needsYou && !answers && !asks && (
        <IconButton
          name={`Say something to ${config.name}`}
          title="Say something to it"
          aria-expanded={replying}
          onClick={onReply}
        >
          <MessageSquare aria-hidden="true" />
        </IconButton>
      )}
      {more.map((action) => (
        <ActionButton key={action.name} target={target} action={action} look="quiet" compact />
      ))}
      {best !== undefined && <ActionButton target={target} action={best} className="max-sm:px-2.5" />}
      {asks && (
        <Link href={`/${config.id}#${answerId}`} className={buttonLook("outlined")}>
          <MessageSquare aria-hidden="true" />
          Answer
        </Link>
      )}
      {answers && (
        <Button aria-expanded={replying} onClick={onReply}>
          <MessageSquare aria-hidden="true" />
          Answer
        </Button>
      )}
    </>
  );
}
