import { memo } from "react";
import { changedStretch, type DiffLine, type SplitLine } from "../diff/patch.ts";
import { type Span, spansOf } from "./highlighter.ts";

const rowLooks = { same: "", add: "bg-good-tint", del: "bg-bad-tint", note: "" };
const markLooks = { same: "", add: "bg-good/15", del: "bg-bad/15", note: "" };
const signs = { same: "", add: "+", del: "−", note: "" };
const spoken = { same: "", add: "added: ", del: "removed: ", note: "" };

/** One line of a unified diff. `colours` is another number when there may be new colours; it is what renders it again. */
export const UnifiedLine = memo(function UnifiedLine({
  line,
  partner,
}: {
  line: DiffLine;
  partner: DiffLine | null;
  colours: number;
}) {
  return (
    <div className={`figure flex leading-5 ${rowLooks[line.kind]}`}>
      <LineNumber n={line.old} className="max-sm:hidden" />
      <LineNumber n={line.new ?? (line.kind === "del" ? line.old : null)} phone={line.kind === "del"} />
      <Text line={line} other={partner} />
    </div>
  );
});

/** One line of a split diff: what was, and what is. */
export const SplitRow = memo(function SplitRow({ pair: { left, right } }: { pair: SplitLine; colours: number }) {
  const changed = left !== right;
  return (
    <div className="figure grid grid-cols-2 leading-5">
      <Side line={left} other={changed ? right : null} n={left?.old ?? null} />
      <Side line={right} other={changed ? left : null} n={right?.new ?? null} edge />
    </div>
  );
});

function Side({
  line,
  other,
  n,
  edge = false,
}: {
  line: DiffLine | null;
  other: DiffLine | null;
  n: number | null;
  edge?: boolean;
}) {
  return (
    <div
      className={`flex min-w-0 ${edge ? "border-l border-line" : ""} ${line === null ? "bg-panel" : rowLooks[line.kind]}`}
    >
      <LineNumber n={n} />
      {line !== null && <Text line={line} other={other} />}
    </div>
  );
}

function LineNumber({ n, phone = false, className = "" }: { n: number | null; phone?: boolean; className?: string }) {
  return (
    <span
      className={`w-12 shrink-0 pr-2 text-right text-soft select-none max-sm:w-9 max-sm:pr-1 ${phone ? "sm:text-transparent" : ""} ${className}`}
    >
      {n}
    </span>
  );
}

function Text({ line, other }: { line: DiffLine; other: DiffLine | null }) {
  if (line.kind === "note") return <span className="px-5 text-soft italic">{line.text}</span>;
  const stretch = other === null ? null : changedStretch(line.text, other.text);
  const spans = spansOf(line) ?? [{ text: line.text, look: null }];
  return (
    <>
      <span aria-hidden="true" className="w-4 shrink-0 text-center text-soft select-none">
        {signs[line.kind]}
      </span>
      <span className="min-w-0 flex-1 pr-3 whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:4]">
        {line.kind !== "same" && <span className="sr-only">{spoken[line.kind]}</span>}
        {cutSpans(spans, stretch).map(({ text, look, marked }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece of a line has no identity but its place
          <span key={index} className={`${look ?? ""} ${marked ? `rounded-[2px] ${markLooks[line.kind]}` : ""}`}>
            {text}
          </span>
        ))}
      </span>
    </>
  );
}

/** Cut coloured pieces where the changed stretch of their line begins and ends. */
export function cutSpans(
  spans: Span[],
  stretch: { start: number; end: number } | null,
): (Span & { marked: boolean })[] {
  if (stretch === null || stretch.start >= stretch.end) return spans.map((span) => ({ ...span, marked: false }));
  let at = 0;
  return spans.flatMap(({ text, look }) => {
    const from = at;
    at += text.length;
    const [a, b] = [stretch.start, stretch.end].map((edge) => Math.min(Math.max(edge - from, 0), text.length));
    return [
      { text: text.slice(0, a), look, marked: false },
      { text: text.slice(a, b), look, marked: true },
      { text: text.slice(b), look, marked: false },
    ].filter((piece) => piece.text !== "");
  });
}
