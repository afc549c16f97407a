import Brain from "lucide-react/icons/brain";
import GitCommitHorizontal from "lucide-react/icons/git-commit-horizontal";
import Info from "lucide-react/icons/info";
import MessageSquare from "lucide-react/icons/message-square";
import ScrollText from "lucide-react/icons/scroll-text";
import { memo } from "react";
import type { LiveEntry } from "../../../feed/live.ts";
import type { LogEntry } from "../../../feed/log.ts";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { meaningText } from "../../../parts/state-mark.tsx";
import { plural } from "../../../words/count.ts";
import { firstLine, lastLine } from "../../../words/cut.ts";
import type { TimelineCell } from "../../../words/iterations.ts";
import type { Meaning } from "../../../words/state.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { IterationHeader } from "./iteration-header.tsx";
import { ReadsRow } from "./reads-row.tsx";
import { At, FoldingRow, Row } from "./row-frame.tsx";
import { SodaRow, TaskRow } from "./step-rows.tsx";
import { TextBlock } from "./text-block.tsx";
import { LiveToolRow, ToolRow } from "./tool-row.tsx";

export interface RowContext {
  /** The folder the agent works in; null before there is one. */
  root: string | null;
  isOpen: (key: string) => boolean;
  toggle: (key: string) => void;
}

const dots: Record<Meaning, string> = {
  running: "bg-run",
  "needs-you": "bg-need",
  good: "bg-good",
  bad: "bg-bad",
  quiet: "bg-faint",
};

/** `openKeys` names what of this row is folded out; it is there so that only rows that changed render again. */
export const LogRow = memo(function LogRow({
  entry,
  cell,
  context,
}: {
  entry: LogEntry | LiveEntry;
  cell: TimelineCell | undefined;
  context: RowContext;
  openKeys: string;
}) {
  const { root, isOpen, toggle } = context;
  const { key, at } = entry;
  switch (entry.kind) {
    case "iteration":
      return <IterationHeader iteration={entry.iteration} cell={cell} />;
    case "text":
      return (
        <div className="pt-1.5 pb-2">
          <Row glyph={<Dot meaning="quiet" />} end={<At time={at} />}>
            <Markdown text={entry.text} />
          </Row>
        </div>
      );
    case "live-text":
      return (
        <div className="pt-1.5 pb-2">
          <Row glyph={<Dot meaning="running" />} end={<At time={at} />}>
            <Markdown text={entry.text} writing />
          </Row>
        </div>
      );
    case "reasoning":
      return (
        <FoldingRow
          open={isOpen(key)}
          onToggle={() => toggle(key)}
          glyph={<Brain className="text-faint" />}
          label={
            <span className="min-w-0 truncate text-soft">
              <span className="sr-only">Thought: </span>
              {firstLine(entry.text)}
            </span>
          }
          end={<At time={at} />}
        >
          <div className="text-soft">
            <Markdown text={entry.text} />
          </div>
        </FoldingRow>
      );
    case "live-reasoning":
      return (
        <Row glyph={<Brain className="animate-breathe text-run" />} end={<At time={at} />}>
          <p className="truncate leading-5 text-soft">
            <span className="sr-only">Thinking: </span>
            {lastLine(entry.text)}
          </p>
        </Row>
      );
    case "tool":
      return <ToolRow tool={entry.tool} at={at} root={root} open={isOpen(key)} onToggle={() => toggle(key)} />;
    case "live-tool":
      return <LiveToolRow name={entry.name} input={entry.input} at={at} root={root} />;
    case "reads":
      return <ReadsRow tools={entry.tools} at={at} root={root} rowKey={key} isOpen={isOpen} onToggle={toggle} />;
    case "prompt":
      return (
        <FoldingRow
          open={isOpen(key)}
          onToggle={() => toggle(key)}
          glyph={<ScrollText className="text-faint" />}
          label={
            <>
              <span className="shrink-0 text-soft">Prompt</span>
              <span className="min-w-0 truncate text-small text-soft">{firstLine(entry.text)}</span>
            </>
          }
          end={<At time={at} />}
        >
          <TextBlock text={entry.text} what="the prompt" />
        </FoldingRow>
      );
    case "said":
      return (
        <div className="py-1.5">
          <Row glyph={<MessageSquare className="text-need" />} end={<At time={at} />}>
            <p className="text-small text-soft">
              {entry.takenBack ? "You said, and took back" : entry.now ? "You said, for now" : "You said"}
            </p>
            <p
              className={`max-w-[78ch] whitespace-pre-wrap [overflow-wrap:anywhere] ${entry.takenBack ? "text-soft line-through" : ""}`}
            >
              {entry.text}
            </p>
          </Row>
        </div>
      );
    case "notice":
      return (
        <Row glyph={<Info className="text-soft" />} end={<At time={at} />}>
          <p className="leading-5 text-soft [overflow-wrap:anywhere]">{entry.text}</p>
        </Row>
      );
    case "commit": {
      const { sha, message, filesChanged } = entry.commit;
      return (
        <Row glyph={<GitCommitHorizontal className="text-good" />} end={<At time={at} />}>
          <p className="flex items-center gap-2 leading-5">
            <span className="shrink-0 font-medium">Commit</span>
            <span className="figure shrink-0">{sha.slice(0, 8)}</span>
            <CopyButton text={sha} what="the commit's id" className="-my-1 !size-5 max-sm:hidden" />
            <span className="min-w-0 truncate" title={message}>
              {firstLine(message)}
            </span>
            <span className="shrink-0 text-small text-soft">{plural(filesChanged, "file")}</span>
          </p>
        </Row>
      );
    }
    case "soda":
      return <SodaRow entry={entry} open={isOpen(key)} onToggle={() => toggle(key)} />;
    case "task":
      return <TaskRow entry={entry} open={isOpen(key)} onToggle={() => toggle(key)} />;
    case "milestone":
      return (
        <Row glyph={<Dot meaning={entry.meaning} />} end={<At time={at} />}>
          <p className={`leading-5 [overflow-wrap:anywhere] ${meaningText[entry.meaning]}`}>{entry.text}</p>
        </Row>
      );
  }
});

function Dot({ meaning }: { meaning: Meaning }) {
  return <span className={`ml-1 size-1.5 rounded-full ${dots[meaning]}`} />;
}
