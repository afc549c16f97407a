import type { HandOffChoice, TaskConfig, VaultSight } from "@ralpher/contract";
import type { TaskEvent } from "../../../feed/log.ts";
import { plural } from "../../../words/count.ts";
import { firstLine } from "../../../words/cut.ts";
import type { Meaning } from "../../../words/state.ts";
import { choiceWords } from "./hand-off-model.ts";

export interface LineWords {
  verb: string;
  text: string;
  meaning: Meaning;
}

const quiet = (verb: string, text: string): LineWords => ({ verb, text, meaning: "quiet" });
const needing = (verb: string, text: string): LineWords => ({ verb, text, meaning: "needs-you" });

/** What an event of a task loop says, in a line. `before`: as its vault was found before. */
export function wordsOf(event: TaskEvent, before: VaultSight | null): LineWords {
  switch (event.type) {
    case "loop.task.opened":
      return quiet("Took up", `the task, as ${event.runId}`);
    case "loop.vault.looked":
      return lookWords(event, before);
    case "loop.step.begun":
      return quiet("Step", firstLine(event.step.text));
    case "loop.step.reported": {
      const { result, summary, error } = event.report;
      if (result === "failure") return { verb: "Failed", text: error ?? summary, meaning: "bad" };
      return result === "partial" ? needing("Partly done", summary) : quiet("Reported", summary);
    }
    case "loop.step.verified": {
      const { passed, command, outcome } = event.check;
      return passed
        ? { verb: "Checked", text: `${command} passed`, meaning: "good" }
        : { verb: "Check failed", text: `${command}: ${outcome}`, meaning: "bad" };
    }
    case "loop.step.ticked":
      if (event.outcome === "ticked") return { verb: "Ticked", text: "the step is done", meaning: "good" };
      return event.outcome === "done"
        ? quiet("Ticked", "the step was ticked already")
        : needing("Not ticked", "a human took the step out, or reworded it");
    case "loop.handed_off":
      return needing("Asks you", event.path);
    case "loop.chosen":
      return quiet("Chosen", chosenWords(event.choice, event.path));
    case "loop.task.filed":
      return { verb: "Filed", text: event.path, meaning: event.place === "done" ? "good" : "quiet" };
  }
}

const chosenWords = (choice: HandOffChoice, path: string | null) =>
  `${choiceWords[choice].label}${path === null ? "" : `, in ${path}`}`;

function lookWords(event: Extract<TaskEvent, { type: "loop.vault.looked" }>, before: VaultSight | null): LineWords {
  const { look, injection } = event;
  if (injection !== undefined) return needing("Put down by you", firstLine(injection.text));
  const [first = { text: "", isTrouble: false }, ...rest] = look === null ? [] : changesOf(look, before);
  const text = rest.length === 0 ? first.text : `${first.text}, and more`;
  return first.isTrouble ? needing("Seen", text) : quiet("Seen", text);
}

/** What humans changed in a vault between two looks, in words. */
export function changesOf(look: VaultSight, before: VaultSight | null): { text: string; isTrouble: boolean }[] {
  const { stopHook, place, problems, config, counts } = look;
  const changes: { text: string; isTrouble: boolean }[] = [];
  const add = (text: string, isTrouble = false) => changes.push({ text, isTrouble });
  if (stopHook !== null && before?.stopHook?.reason !== stopHook.reason)
    add(`${stopHook.path}: ${stopHook.reason}`, true);
  if (stopHook === null && before?.stopHook) add("the stop hook is gone");
  if (before !== null && before.place !== place) add(`the file is now ${place}`, place !== "done");
  for (const { path, line, message } of problems) {
    const isOld = before?.problems.some((known) => known.path === path && known.message === message) === true;
    if (!isOld) add(`${path}${line === undefined ? "" : `, line ${line}`}: ${message}`, true);
  }
  if (before !== null) {
    for (const key of Object.keys(config) as (keyof TaskConfig)[]) {
      if (config[key] !== before.config[key]) add(`${key}: ${String(before.config[key])} → ${String(config[key])}`);
    }
    if (counts.all !== before.counts.all) add(`${plural(counts.all, "step")} now, ${before.counts.all} before`);
  }
  return changes;
}
