import { memo } from "react";
import { type ProseBlock, type ProseSpan, splitProse, splitSpans } from "../words/prose.ts";
import { CopyButton } from "./copy-button.tsx";

/** What an agent wrote, as it wrote it, with code set as code. Never rendered as HTML. */
export const Prose = memo(function Prose({ text, writing = false }: { text: string; writing?: boolean }) {
  const blocks = splitProse(text);
  return (
    <div className="flex max-w-[78ch] flex-col gap-2.5 [overflow-wrap:anywhere]">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: text only grows at its end
        <Block key={index} kind={block.kind} text={block.text} writing={writing && index === blocks.length - 1} />
      ))}
    </div>
  );
});

// Memoised on plain values: while text streams in, only its last paragraph is laid out again.
const Block = memo(function Block({ kind, text, writing }: Pick<ProseBlock, "kind" | "text"> & { writing: boolean }) {
  if (kind === "code") {
    return (
      <div className="group/code relative max-w-full">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0} className="figure overflow-x-auto rounded-md bg-panel py-2 pr-9 pl-3 leading-5">
          {text}
          {writing && <Caret />}
        </pre>
        <CopyButton
          text={text}
          what="the code"
          className="!absolute top-1 right-1 bg-panel opacity-0 group-hover/code:opacity-100 focus-visible:opacity-100 touch:opacity-100"
        />
      </div>
    );
  }
  return (
    <p className="whitespace-pre-wrap">
      {splitSpans(text).map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a span has no identity but its place
        <Span key={index} kind={span.kind} text={span.text} />
      ))}
      {writing && <Caret />}
    </p>
  );
});

function Span({ kind, text }: ProseSpan) {
  if (kind === "code") return <code className="figure rounded-sm bg-panel px-1 py-px">{text}</code>;
  return kind === "strong" ? <strong className="font-semibold">{text}</strong> : text;
}

function Caret() {
  return (
    <span
      aria-hidden="true"
      className="ml-0.5 inline-block h-[1.05em] w-[0.45em] animate-breathe bg-run align-text-bottom"
    />
  );
}
