import type { MarkedToken, Token, Tokens } from "marked";
import { createElement, type ReactNode } from "react";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { Inline } from "./inline.tsx";

export interface BlockLook {
  /** A line break in the source is one on the screen: for what is written as it is said. */
  breaks: boolean;
  /** The level of the highest heading; null where headings are only strong lines, not part of the page's outline. */
  headingLevel: number | null;
}

/** Blocks of Markdown as elements. `end` goes behind the very last piece of text. */
export function Blocks({ tokens, look, end }: { tokens: Token[]; look: BlockLook; end?: ReactNode }): ReactNode {
  const shown = (tokens as MarkedToken[]).filter(({ type }) => type !== "space" && type !== "def");
  return shown.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: text only grows at its end
    <Block key={index} token={token} look={look} end={index === shown.length - 1 ? end : undefined} />
  ));
}

function Block({ token, look, end }: { token: MarkedToken; look: BlockLook; end: ReactNode }): ReactNode {
  const wrap = look.breaks ? "whitespace-pre-wrap" : "";
  switch (token.type) {
    case "paragraph":
    case "text":
      return (
        <p className={wrap}>
          <Inline tokens={token.tokens ?? [token]} />
          {end}
        </p>
      );
    case "heading":
      return <Heading token={token} level={look.headingLevel} end={end} />;
    case "code":
      return <Code text={token.text} end={end} />;
    case "blockquote":
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-edge pl-3 text-soft">
          <Blocks tokens={token.tokens} look={look} end={end} />
        </blockquote>
      );
    case "list":
      return <List token={token} look={look} end={end} />;
    case "table":
      return <Table token={token} />;
    case "hr":
      return <hr className="border-line" />;
    default:
      // HTML among others: as it was written, never as what it would mean.
      return (
        <p className="whitespace-pre-wrap">
          {token.raw.trimEnd()}
          {end}
        </p>
      );
  }
}

function Heading({ token, level, end }: { token: Tokens.Heading; level: number | null; end: ReactNode }) {
  const content = (
    <>
      <Inline tokens={token.tokens} />
      {end}
    </>
  );
  if (level === null) return <p className="pt-1 font-semibold">{content}</p>;
  const size = token.depth === 1 ? "text-title pt-1" : "pt-3";
  return createElement(
    `h${Math.min(6, level + token.depth - 1)}`,
    { className: `font-semibold text-balance first:pt-0 ${size}` },
    content,
  );
}

function List({ token, look, end }: { token: Tokens.List; look: BlockLook; end: ReactNode }) {
  const items = token.items.map((item, index) => (
    <li
      // biome-ignore lint/suspicious/noArrayIndexKey: an item has no identity but its place
      key={index}
      className={`[&>:not(span)+*]:mt-1.5 ${item.task ? "relative list-none pl-6" : "pl-1"}`}
    >
      {item.task && <Box checked={item.checked === true} />}
      <Blocks
        tokens={item.tokens.filter(({ type }) => type !== "checkbox")}
        look={look}
        end={index === token.items.length - 1 ? end : undefined}
      />
    </li>
  ));
  const tasks = token.items.every(({ task }) => task);
  const className = `flex flex-col gap-1 ${tasks ? "" : `pl-6 marker:text-soft ${token.ordered ? "list-decimal" : "list-disc"}`}`;
  return token.ordered ? (
    <ol start={token.start === "" ? 1 : token.start} className={className}>
      {items}
    </ol>
  ) : (
    <ul className={className}>{items}</ul>
  );
}

function Box({ checked }: { checked: boolean }) {
  return (
    <span
      role="img"
      aria-label={checked ? "Done:" : "To do:"}
      className={`absolute top-1 left-0 flex size-3.5 items-center justify-center rounded-sm border ${checked ? "border-good bg-good-tint text-good" : "border-edge"}`}
    >
      {checked && (
        <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 fill-none stroke-current" strokeWidth={1.8}>
          <path d="M2 5.2 4.2 7.5 8.2 2.6" />
        </svg>
      )}
    </span>
  );
}

function Table({ token }: { token: Tokens.Table }) {
  const cell = (content: Tokens.TableCell, index: number, header: boolean) => {
    const align = content.align === "right" ? "text-right" : content.align === "center" ? "text-center" : "text-left";
    return createElement(
      header ? "th" : "td",
      { key: index, className: `border-b border-line px-2.5 py-1 align-top ${align} ${header ? "font-medium" : ""}` },
      <Inline tokens={content.tokens} />,
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="max-w-full overflow-x-auto [overflow-wrap:normal]">
      <table className="border-collapse">
        <thead>
          <tr>{token.header.map((each, index) => cell(each, index, true))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place
            <tr key={index}>{row.map((each, column) => cell(each, column, false))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Code({ text, end }: { text: string; end: ReactNode }) {
  return (
    <div className="group/code relative max-w-full">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="figure overflow-x-auto rounded-md bg-panel py-2 pr-9 pl-3 leading-5 touch:pr-12">
        {text}
        {end}
      </pre>
      <CopyButton
        text={text}
        what="the code"
        className="!absolute top-1 right-1 bg-panel opacity-0 group-hover/code:opacity-100 focus-visible:opacity-100 touch:opacity-100"
      />
    </div>
  );
}
