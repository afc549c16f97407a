import type { ToolCall } from "@ralpher/contract";
import FileText from "lucide-react/icons/file-text";
import { exactDuration, formatDuration } from "../../../words/duration.ts";
import { exactTime } from "../../../words/time.ts";
import { describeTool } from "../../../words/tool.ts";
import { FoldingRow } from "./row-frame.tsx";
import { ToolRow } from "./tool-row.tsx";

/** Several reads in a row as one line, which folds out to each. */
export function ReadsRow({
  tools,
  at,
  root,
  rowKey,
  isOpen,
  onToggle,
}: {
  tools: ToolCall[];
  at: number;
  root: string | null;
  rowKey: string;
  isOpen: (key: string) => boolean;
  onToggle: (key: string) => void;
}) {
  const total = tools.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const names = tools.map(({ name, input }) => describeTool(name, input, root).object.split("/").at(-1));
  return (
    <FoldingRow
      open={isOpen(rowKey)}
      onToggle={() => onToggle(rowKey)}
      glyph={<FileText className="text-soft" />}
      label={
        <>
          <span className="shrink-0 font-medium">Read {tools.length} files</span>
          <span className="min-w-0 truncate text-small text-soft">{names.join(", ")}</span>
        </>
      }
      end={
        <span className="figure text-soft" title={`${exactDuration(total)} together; ${exactTime(at)}`}>
          {formatDuration(total)}
        </span>
      }
    >
      <div className="-mx-4 border-l-2 border-line lg:-mx-6">
        {tools.map((tool) => {
          const key = `${rowKey}/${tool.id}`;
          return (
            <ToolRow key={key} tool={tool} at={at} root={root} open={isOpen(key)} onToggle={() => onToggle(key)} />
          );
        })}
      </div>
    </FoldingRow>
  );
}
