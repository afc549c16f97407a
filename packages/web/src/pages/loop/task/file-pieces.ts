import type { TaskStep } from "@ralpher/contract";

/** A stretch of a task file: Markdown as it stands there, or some steps in a row. */
export type Piece = { kind: "text"; line: number; text: string } | { kind: "steps"; line: number; steps: PlacedStep[] };

export interface PlacedStep {
  step: TaskStep;
  /** Its words, without the box, its check and its comments. */
  words: string;
  /** What stands below it and belongs to it. */
  below: string;
}

const boxLine = /^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]\s/;

/**
 * The file's body in pieces, in order, and its front matter, if it has any. A first heading that only says the task's
 * `title` again is left out.
 */
export function piecesOf(
  text: string,
  steps: readonly TaskStep[],
  title?: string,
): { frontMatter: string | null; pieces: Piece[] } {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const bodyFrom = bodyStart(lines);
  const frontMatter = bodyFrom === 0 ? null : lines.slice(1, bodyFrom - 1).join("\n");
  const byLine = new Map(steps.map((step) => [step.line, step]));
  const pieces: Piece[] = [];
  let plain: string[] = [];
  let plainFrom = bodyFrom + 1;
  const endPlain = () => {
    const isFirst = pieces.length === 0;
    const written = plain
      .join("\n")
      .replace(/<!--[\s\S]*?-->/g, "")
      .replace(/^\s*# (.*)/, (line, heading) => (isFirst && heading.trim() === title ? "" : line));
    if (written.trim() !== "") pieces.push({ kind: "text", line: plainFrom, text: written });
    plain = [];
  };
  for (let at = bodyFrom; at < lines.length; ) {
    const step = byLine.get(at + 1);
    if (step === undefined || !boxLine.test(`${lines[at]} `)) {
      if (plain.length === 0) plainFrom = at + 1;
      plain.push(lines[at] ?? "");
      at += 1;
      continue;
    }
    endPlain();
    const [words = "", ...below] = step.text.split("\n");
    const placed = { step, words, below: below.join("\n").trim() };
    const last = pieces.at(-1);
    if (last?.kind === "steps") last.steps.push(placed);
    else pieces.push({ kind: "steps", line: at + 1, steps: [placed] });
    at = afterStep(lines, at, byLine);
  }
  endPlain();
  return { frontMatter, pieces };
}

/** The first line that is not the step's any more: it is as far to the left as the step, or another step. */
function afterStep(lines: readonly string[], from: number, steps: ReadonlyMap<number, unknown>): number {
  const own = indentOf(lines[from] ?? "");
  let at = from + 1;
  for (let next = at; next < lines.length && !steps.has(next + 1); next++) {
    const line = lines[next] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line) <= own) break;
    at = next + 1;
  }
  // Empty lines before the next step are no text between them.
  for (let next = at; next < lines.length; next++) {
    if (steps.has(next + 1)) return next;
    if ((lines[next] ?? "").trim() !== "") break;
  }
  return at;
}

const indentOf = (line: string) => (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;

/** The index of the first line after the front matter; 0 when there is none. */
export function bodyStart(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  return end + 1;
}
