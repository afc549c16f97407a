import type { HandOffChoice, HandOffKind } from "@ralpher/contract";
import { bodyStart } from "./file-pieces.ts";

export interface Section {
  title: string;
  text: string;
}

/** A hand-off's file by its sections. What the page has its own parts for, the title and the boxes, is left out. */
export function sectionsOf(text: string): Section[] {
  const lines = text.split(/\r\n|\n|\r/);
  const sections: Section[] = [];
  let fence: string | null = null;
  for (const line of lines.slice(bodyStart(lines))) {
    const ticks = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isInFence = fence !== null;
    if (ticks !== undefined) {
      if (fence === null) fence = ticks;
      else if (ticks.startsWith(fence)) fence = null;
    }
    const title = isInFence ? undefined : /^##\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, text: "" });
    else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += `${line}\n`;
    }
  }
  return sections
    .filter((section) => !section.text.includes("<!-- ralpher:choices -->"))
    .map((section) => ({ ...section, text: section.text.trim() }))
    .filter((section) => section.text !== "");
}

/** What a human is told of a hand-off before anything else. */
export const kindWords: Record<HandOffKind, string> = {
  error_report: "It failed, and asks you",
  escalation: "It came to its limit, and asks you",
  stop_report: "It was stopped",
};

/** What each choice is called, and what it does. */
export const choiceWords: Record<HandOffChoice, { label: string; does: string }> = {
  retry: { label: "Try again", does: "The same step once more; failures are counted from zero." },
  more_iterations: { label: "Go on", does: "It gets as many iterations again as it had." },
  skip_step: { label: "Skip this step", does: "It is ticked as it is, and the next one follows." },
  complete: { label: "It is done", does: "The task is finished as it is, and filed." },
  reject: { label: "Call it off", does: "The task is put where rejected ones lie." },
};

/** The same of a loop that a human stopped: nothing failed. */
export function wordsOf(choice: HandOffChoice, kind: HandOffKind): { label: string; does: string } {
  if (kind === "stop_report" && choice === "retry") {
    return { label: "Resume", does: "It goes on with the step it was at; a stop hook is taken away." };
  }
  return choiceWords[choice];
}
