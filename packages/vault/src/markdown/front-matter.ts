import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { splitLines } from "./lines.ts";

/** A text's front matter, and where the rest begins. */
export interface FrontMatter {
  data: Record<string, unknown>;
  /** Where its YAML begins and ends in the text; null when there is none. */
  yaml: { from: number; to: number; document: Document } | null;
  /** Where what follows it begins. */
  bodyFrom: number;
  /** What is wrong with it; `data` is empty then. */
  problem: { line: number; column: number; message: string } | null;
}

/**
 * Between two lines of three dashes at the very beginning, as YAML. One that is never closed is none (the dashes are a
 * line across), and `problem` says so, for where front matter is expected.
 */
export function readFrontMatter(text: string): FrontMatter {
  const begin = text.startsWith("\uFEFF") ? 1 : 0;
  const none: FrontMatter = { data: {}, yaml: null, bodyFrom: begin, problem: null };
  const [first, ...lines] = splitLines(text, begin);
  if (first === undefined || !/^---[ \t]*$/.test(first.text)) return none;
  const last = lines.findIndex((line) => /^(---|\.\.\.)[ \t]*$/.test(line.text));
  const closing = lines[last];
  const opening = lines[0];
  if (closing === undefined || opening === undefined) {
    return { ...none, problem: { line: 1, column: 1, message: "its front matter is never closed by a line ---" } };
  }
  const [from, to] = [opening.from, closing.from];
  const bodyFrom = lines[last + 1]?.from ?? text.length;
  const counter = new LineCounter();
  // YAML knows no CR alone as a line end.
  const document = parseDocument(text.slice(from, to).replace(/\r(?!\n)/g, "\n"), {
    lineCounter: counter,
    prettyErrors: false,
    logLevel: "error",
  });
  const [error] = document.errors;
  const yaml = { from, to, document };
  const at = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line: line + 1, column: col };
  };
  const wrong = (offset: number, message: string) => ({
    data: {},
    yaml,
    bodyFrom,
    problem: { ...at(offset), message },
  });
  if (error !== undefined) return wrong(error.pos[0], error.message);
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null))
    return { data: {}, yaml, bodyFrom, problem: null };
  if (!isMap(document.contents)) return wrong(0, "its front matter is no list of keys with values");
  try {
    return { data: document.toJS() as Record<string, unknown>, yaml, bodyFrom, problem: null };
  } catch (cause) {
    // Aliases without an anchor, or too many of them.
    return wrong(0, (cause as Error).message);
  }
}
