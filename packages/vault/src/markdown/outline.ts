import { findComments } from "./comments.ts";
import { indentOf, type Line } from "./lines.ts";

/** What a line of Markdown is, as far as steps need it. */
export type OutlineLine = Line &
  (
    | { kind: "blank" }
    /** In a fence, or indented as code. */
    | { kind: "code"; item: Item | null }
    /** Within an HTML comment that takes more than this line, or of one that another line began. */
    | { kind: "hidden" }
    | { kind: "heading"; level: number; words: string }
    /** An item of a list; `content` is what follows its sign, and its box if it has one. */
    | { kind: "item"; item: Item; content: string; box: Box | null }
    /** `item`: the one it belongs to. */
    | { kind: "text"; item: Item | null }
  );

export interface Item {
  /** The column of its sign. */
  column: number;
  /** The column of its words. */
  contentColumn: number;
  parent: Item | null;
}

export interface Box {
  isTicked: boolean;
  /** Where the character between its brackets stands in the text. */
  at: number;
}

interface Fence {
  sign: string;
  length: number;
  /** Less indented text ends the item that the fence is in, and so the fence. */
  least: number;
  item: Item | null;
}

/**
 * Tell boxes from what only looks like them, as CommonMark does. Where people indent less than it asks for (two columns
 * below `1.`), the item belongs to the one above all the same.
 */
export function readOutline(lines: Line[]): OutlineLine[] {
  const outline: OutlineLine[] = [];
  const lastCommentEnd = lines.findLastIndex(({ text }) => text.includes("-->"));
  let item: Item | null = null;
  let fence: Fence | null = null;
  let isComment = false;
  let isAfterBlank = true;
  let isInCode = false;

  for (const [index, line] of lines.entries()) {
    const { text } = line;
    if (isComment) {
      outline.push({ ...line, kind: "hidden" });
      isComment = !text.includes("-->");
      continue;
    }
    if (/^[ \t]*$/.test(text)) {
      outline.push(fence === null ? { ...line, kind: "blank" } : { ...line, kind: "code", item: fence.item });
      isAfterBlank = true;
      continue;
    }
    const { column, at } = indentOf(text);
    if (fence !== null) {
      if (column >= fence.least) {
        outline.push({ ...line, kind: "code", item: fence.item });
        if (closes(fence, text.slice(at))) fence = null;
        isAfterBlank = false;
        continue;
      }
      fence = null;
    }
    const rest = text.slice(at);
    const sign = isLineAcross(rest) ? null : /^([-*+]|\d{1,9}[.)])(?=[ \t]|$)/.exec(rest)?.[0];
    const heading = /^(#{1,6})(?:[ \t]+(.*))?$/.exec(rest);
    const opened = openFence(rest);
    const isBlock = sign != null || heading !== null || opened !== null || isLineAcross(rest);
    const previous: OutlineLine | undefined = outline.at(-1);
    // A line of plain words right below others goes on with them, however little it is indented.
    const goesOn = !isAfterBlank && !isBlock && previous?.kind !== "code" && previous?.kind !== "heading";
    while (!goesOn && item !== null && column < item.column + 2) item = item.parent;

    const beyond = column - (item?.contentColumn ?? 0);
    const isBelowWords = item === null && previous?.kind === "text" && !isAfterBlank;
    isInCode = beyond >= 4 && (isInCode || isAfterBlank || (item === null && !isBelowWords));
    isAfterBlank = false;
    if (isInCode) {
      outline.push({ ...line, kind: "code", item });
      continue;
    }
    const mayBegin = beyond < 4 || item !== null;
    if (mayBegin && sign != null) {
      const begun = beginItem(line, at, column, sign, item);
      outline.push(begun);
      item = begun.item;
      const inner = openFence(begun.content);
      if (inner !== null && begun.box === null) fence = { ...inner, least: column + 2, item };
      isComment = leavesCommentOpen(begun.content, index < lastCommentEnd);
      continue;
    }
    if (mayBegin && opened !== null) {
      fence = { ...opened, least: item === null ? 0 : item.column + 2, item };
      outline.push({ ...line, kind: "code", item });
      continue;
    }
    isComment = leavesCommentOpen(rest, index < lastCommentEnd);
    if (mayBegin && heading !== null && item === null) {
      const [, signs = "", words = ""] = heading;
      outline.push({
        ...line,
        kind: "heading",
        level: signs.length,
        words: words.replace(/[ \t]+#+[ \t]*$/, "").trim(),
      });
    } else if (item === null && isBelowWords && /^(=+|-+)[ \t]*$/.test(rest) && previous !== undefined) {
      // Words above a line of signs are a heading.
      const level = rest.startsWith("=") ? 1 : 2;
      outline[outline.length - 1] = { ...plain(previous), kind: "heading", level, words: previous.text.trim() };
      outline.push({ ...line, kind: "blank" });
    } else if (isComment && rest.startsWith("<!--")) outline.push({ ...line, kind: "hidden" });
    else outline.push({ ...line, kind: "text", item });
  }
  return outline;
}

const plain = ({ number, from, text }: Line): Line => ({ number, from, text });

function beginItem(line: Line, at: number, column: number, sign: string, parent: Item | null) {
  const afterSign = line.text.slice(at + sign.length);
  const gap = indentOf(afterSign);
  const signEnd = column + sign.length;
  // Five columns and more begin code within the item; without words the content would begin one further.
  const width = gap.at === afterSign.length || gap.column > 4 ? 1 : gap.column;
  const item: Item = { column, contentColumn: signEnd + width, parent };
  const content = afterSign.slice(gap.at);
  const box = gap.column > 4 ? null : /^\[([ xX])\](?=[ \t]|$)/.exec(content);
  const boxAt = line.from + at + sign.length + gap.at + 1;
  return {
    ...line,
    kind: "item" as const,
    item,
    content: box === null ? content : content.slice(3).trim(),
    box: box === null ? null : { isTicked: box[1] !== " ", at: boxAt },
  };
}

/** `---`, `* * *` and their like. */
function isLineAcross(rest: string): boolean {
  return /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(rest);
}

function openFence(rest: string): { sign: string; length: number } | null {
  const [, signs, info = ""] = /^(`{3,}|~{3,})(.*)$/.exec(rest) ?? [];
  if (signs === undefined || (signs.startsWith("`") && info.includes("`"))) return null;
  return { sign: signs.charAt(0), length: signs.length };
}

function closes({ sign, length }: Fence, rest: string): boolean {
  const trimmed = rest.trimEnd();
  return trimmed.length >= length && trimmed === sign.repeat(trimmed.length);
}

/**
 * Does an HTML comment begin here that another line ends? At the beginning of a line one that is never closed hides
 * all that follows, as it does when shown; further in it is only words then.
 */
function leavesCommentOpen(content: string, isEndedLater: boolean): boolean {
  const open = findComments(content).at(-1);
  return open !== undefined && open.to === null && (isEndedLater || open.from === 0);
}
