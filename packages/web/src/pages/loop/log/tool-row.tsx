import type { ToolCall } from "@ralpher/contract";
import type { LucideIcon } from "lucide-react";
import Bot from "lucide-react/icons/bot";
import FilePen from "lucide-react/icons/file-pen";
import FilePlus from "lucide-react/icons/file-plus";
import FileText from "lucide-react/icons/file-text";
import Globe from "lucide-react/icons/globe";
import ListChecks from "lucide-react/icons/list-checks";
import Search from "lucide-react/icons/search";
import Terminal from "lucide-react/icons/terminal";
import Wrench from "lucide-react/icons/wrench";
import { useNow } from "../../../feed/clock.ts";
import { lazyPage } from "../../../parts/lazy-page.tsx";
import { exactDuration, formatDuration, formatElapsed } from "../../../words/duration.ts";
import { exactTime } from "../../../words/time.ts";
import { describeTool, resultOf, type ToolKind, type ToolWords } from "../../../words/tool.ts";
import { FoldingRow, Row } from "./row-frame.tsx";

const details = lazyPage(async () => (await import("./tool-details.tsx")).ToolDetails);
/** Fetch the code for what a tool call folds out to, before it is wanted. */
export const preloadToolDetails = details.preload;

const glyphs: Record<ToolKind, LucideIcon> = {
  read: FileText,
  write: FilePlus,
  edit: FilePen,
  run: Terminal,
  search: Search,
  web: Globe,
  plan: ListChecks,
  agent: Bot,
  other: Wrench,
};

function ToolLabel({ words }: { words: ToolWords }) {
  return (
    <>
      <span className="shrink-0 font-medium">{words.verb}</span>
      <span className="figure min-w-0 truncate" title={words.exact}>
        {words.object}
      </span>
    </>
  );
}

/** A finished tool call: one line, which folds out to its input and output. */
export function ToolRow({
  tool,
  at,
  root,
  open,
  onToggle,
}: {
  tool: ToolCall;
  at: number;
  root: string | null;
  open: boolean;
  onToggle: () => void;
}) {
  const words = describeTool(tool.name, tool.input, root);
  const failed = tool.status === "error";
  const Glyph = glyphs[words.kind];
  return (
    <FoldingRow
      open={open}
      onToggle={onToggle}
      glyph={<Glyph className={failed ? "text-bad" : "text-soft"} />}
      label={
        <>
          <ToolLabel words={words} />
          {failed && <span className="shrink-0 text-small font-medium text-bad">failed</span>}
          <span className={`min-w-0 shrink-[2] truncate text-small max-sm:hidden ${failed ? "text-bad" : "text-soft"}`}>
            {resultOf(tool)}
          </span>
        </>
      }
      end={
        <span className="figure text-soft" title={`${exactDuration(tool.durationMs)}; ${exactTime(at)}`}>
          {formatDuration(tool.durationMs)}
        </span>
      }
    >
      <details.Page tool={tool} />
    </FoldingRow>
  );
}

/** A tool that is at work now, with how long already. */
export function LiveToolRow({
  name,
  input,
  at,
  root,
}: {
  name: string;
  input: unknown;
  at: number;
  root: string | null;
}) {
  const now = useNow(1_000);
  const words = describeTool(name, input, root);
  const Glyph = glyphs[words.kind];
  return (
    <Row
      glyph={<Glyph className="animate-breathe text-run" />}
      end={<span className="figure leading-5 text-run">{formatElapsed(now - at)}</span>}
    >
      <span className="flex items-baseline gap-2 leading-5">
        <ToolLabel words={words} />
      </span>
    </Row>
  );
}
