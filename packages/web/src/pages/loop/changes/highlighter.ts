import { createLowlight } from "lowlight";
import type { DiffLine, Hunk } from "../diff/patch.ts";
import { type Language, languageOf, loadGrammar } from "./languages.ts";

/** A piece of a line with its colour's class; none for plain text. */
export interface Span {
  text: string;
  look: string | null;
}

/** So many lines are coloured at a time, so that nothing holds up the page for long. */
const slice = 200;
/** A longer line is data, not code. */
const longestLine = 500;

const lowlight = createLowlight();
/** A piece of what a grammar makes of code. */
export type Painted = ReturnType<typeof lowlight.highlight>["children"][number];
const grammars = new Map<Language, Promise<void>>();
const colours = new WeakMap<DiffLine, Span[]>();
const asked = new WeakSet<Hunk>();

/** The coloured pieces of a line; undefined while it has none. */
export const spansOf = (line: DiffLine): Span[] | undefined => colours.get(line);

/**
 * Colour a hunk by its file's language, in small steps, newest wish first; `onColoured` is called after each step.
 * Repeated calls are free.
 */
export function colour(path: string, hunk: Hunk, onColoured: () => void): void {
  if (asked.has(hunk)) return;
  asked.add(hunk);
  const language = languageOf(path);
  if (language === null) return;
  const ready = grammars.get(language) ?? register(language);
  ready.then(
    () => {
      // The two sides are two texts: what was removed makes no sense amid what was added.
      const sides = [hunk.lines.filter(({ kind }) => kind === "del"), hunk.lines.filter(({ new: n }) => n !== null)];
      for (const side of sides) {
        for (let from = 0; from < side.length; from += slice) {
          queue.push(() => {
            paint(language, side.slice(from, from + slice));
            onColoured();
          });
        }
      }
      work();
    },
    // Without its grammar the text stays plain.
    () => {},
  );
}

function register(language: Language): Promise<void> {
  const loading = loadGrammar(language).then((grammar) => lowlight.register(language, grammar));
  grammars.set(language, loading);
  return loading;
}

const queue: (() => void)[] = [];
let working = false;

function work(): void {
  if (working) return;
  const job = queue.pop();
  if (job === undefined) return;
  working = true;
  setTimeout(() => {
    job();
    working = false;
    work();
  });
}

function paint(language: Language, lines: DiffLine[]): void {
  const text = lines.map((line) => (line.text.length > longestLine ? "" : line.text)).join("\n");
  const painted = splitLines(lowlight.highlight(language, text).children);
  lines.forEach((line, index) => {
    const spans = painted[index];
    if (spans !== undefined && line.text.length <= longestLine) colours.set(line, spans);
  });
}

/** Cut a coloured tree into its lines; what spans several lines keeps its colour on each. */
export function splitLines(nodes: Painted[]): Span[][] {
  const lines: Span[][] = [[]];
  const visit = (node: Painted, look: string | null) => {
    if (node.type === "text") {
      node.value.split("\n").forEach((text, index) => {
        if (index > 0) lines.push([]);
        if (text !== "") lines.at(-1)?.push({ text, look });
      });
    } else if (node.type === "element") {
      const names = node.properties.className;
      const own = Array.isArray(names) ? lookOf(names.map(String)) : null;
      for (const child of node.children) visit(child, own ?? look);
    }
  };
  for (const node of nodes) visit(node, null);
  return lines;
}

/** The grammars know dozens of kinds; a reader tells a handful apart. */
const looks: Record<string, string> = {
  comment: "code-quiet",
  quote: "code-quiet",
  meta: "code-quiet",
  doctag: "code-quiet",
  keyword: "code-word",
  "selector-tag": "code-word",
  built_in: "code-word",
  literal: "code-word",
  tag: "code-word",
  name: "code-word",
  string: "code-text",
  regexp: "code-text",
  char: "code-text",
  link: "code-text",
  code: "code-text",
  number: "code-figure",
  symbol: "code-figure",
  bullet: "code-figure",
  title: "code-name",
  section: "code-name",
  type: "code-name",
  "selector-class": "code-name",
  "selector-id": "code-name",
  attr: "code-name",
  attribute: "code-name",
  property: "code-name",
};

function lookOf(names: string[]): string | null {
  for (const name of names) {
    const look = looks[name.replace(/^hljs-/, "")];
    if (look !== undefined) return look;
  }
  return null;
}
