import { HandOffChoice, type HandOffKind } from "@ralpher/contract";
import { findComments } from "../markdown/comments.ts";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { splitLines } from "../markdown/lines.ts";
import { readOutline } from "../markdown/outline.ts";

/** Before the choices; what came of an agent stands above it and cannot choose. */
export const choicesMark = "<!-- ralpher:choices -->";
/** At the end of a choice's line, so that the words before it may be changed. */
export const markOf = (choice: HandOffChoice) => `<!-- ralpher:${choice} -->`;

/** What a choice does, for the human who chooses. */
export function choiceText(kind: HandOffKind, choice: HandOffChoice): string {
  return (choice === "retry" ? retryWords[kind] : undefined) ?? choiceWords[choice];
}

/** What was stopped, or ran out of time, need not have failed. */
const retryWords: Partial<Record<HandOffKind, string>> = {
  stop_report: "**Go on**: from where it was stopped",
  escalation: "**Go on**: with as much time again",
};

const choiceWords: Record<HandOffChoice, string> = {
  retry: "**Try again**: the same step once more, with the failures counted from zero",
  more_iterations: "**Go on**: as many iterations again as it had",
  skip_step: "**Skip this step**: tick it as it is, and go on with the next",
  complete: "**It is done**: finish the task as it is",
  reject: "**Call it off**: the task is rejected",
};

/** The choices whose boxes are ticked, in their order; none of one that is closed. */
export function readChoices(text: string): HandOffChoice[] {
  const { data, bodyFrom } = readFrontMatter(text);
  if (data.status === "closed") return [];
  const from = text.lastIndexOf(choicesMark);
  if (from < 0) return [];
  const chosen = readOutline(splitLines(text, bodyFrom)).flatMap((line) => {
    if (line.from < from || line.kind !== "item" || line.box?.isTicked !== true) return [];
    const marks = findComments(line.content).flatMap((comment) => {
      const parsed = HandOffChoice.safeParse(/^\s*ralpher:(\w+)\s*$/.exec(comment.text)?.[1]);
      return parsed.success ? [parsed.data] : [];
    });
    return marks.slice(-1);
  });
  return [...new Set(chosen)];
}
