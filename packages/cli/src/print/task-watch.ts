import type { LoopView, StoredEvent } from "@ralpher/contract";
import type { VaultNote } from "../compose.ts";
import { taskName } from "../task-loops.ts";
import { accent, attention, bad, dim, good } from "./style.ts";
import { counters } from "./task-ending.ts";
import { headOf, injectedWords, isTold } from "./task-lines.ts";
import { cut, duration, moment, printable, short, status } from "./words.ts";

/** `10:30:05 auth_feature     ▶ 1.2 Implement login 3/100` */
export function taskLine(at: string, name: string, words: string): string {
  return `${dim(moment(at))} ${accent(cut(name, 24).padEnd(16))} ${words}`;
}

/** What the watch itself does, in one line. */
export function noteLine(note: VaultNote, at: string): string {
  if (note.type === "hooked")
    return `${dim(moment(at))} ${attention(`■ ${printable(note.path)} holds everything until it is gone`)}`;
  if (note.type === "trouble") return `${dim(moment(at))} ${bad(`! ${cut(note.message, 300)}`)}`;
  const name = taskName(note.path);
  switch (note.type) {
    case "taken":
      return taskLine(at, name, `+ ${printable(note.path)} ${dim(`is taken up as loop ${note.loopId.slice(0, 8)}`)}`);
    case "goes_on":
      return taskLine(at, name, `+ goes on ${dim(`as loop ${note.loopId.slice(0, 8)}`)}`);
    case "refused":
      return taskLine(at, name, bad(`✗ ${cut(note.message, 300)}`));
  }
}

/** An event of a watched task in one line; null when it is not worth one. `view` is the loop after it. */
export function watchLine(event: StoredEvent, view: LoopView): string | null {
  switch (event.type) {
    case "loop.step.begun":
      return `${accent("▶")} ${cut(headOf(event.step), 80)} ${dim(counters(view).join(" · "))}`;
    case "loop.step.reported":
      return event.report.result === "success"
        ? null
        : `${attention("◐")} ${event.report.result}: ${cut(event.report.error ?? event.report.summary, 100)}`;
    case "loop.step.verified": {
      const { command, passed, outcome } = event.check;
      return passed ? null : `${bad("✗")} check ${cut(command, 50)}: ${cut(outcome, 60)}`;
    }
    case "loop.step.ticked":
      return event.outcome === "missing"
        ? attention("! its box is gone")
        : `${good("✓")} ${cut(view.task?.open?.step.key ?? "", 90)}`;
    case "loop.git.commit":
      return `${good(`✓ ${event.commit.sha.slice(0, 8)}`)} ${short(event.commit.message, 80)}`;
    case "loop.vault.looked":
      return event.injection === undefined
        ? null
        : `${accent("›")} told next: ${cut(injectedWords(event.injection.text), 90)}`;
    case "loop.notice":
      return attention(`! ${cut(event.text, 120)}`);
    case "loop.error":
      return isTold(event, view) ? null : bad(`✗ ${cut(event.error, 120)}`);
    case "loop.waiting":
      // The pause between iterations is no news.
      return view.failures === 0 ? null : dim(`waits ${duration(Date.parse(event.until) - Date.parse(event.at))}`);
    case "loop.chosen":
      return accent(`› chosen: ${event.choice}`);
    case "loop.handed_off":
      return attention(`? asks you: ${printable(event.path)}`);
    case "loop.task.filed":
      return good(`→ ${printable(event.path)}`);
    case "loop.interrupted":
      return attention(`‖ interrupted: ${cut(event.reason, 90)}`);
    case "loop.completed":
    case "loop.stopped":
    case "loop.failed":
    case "loop.max_iterations":
    case "loop.stuck":
    case "loop.paused":
      return ended(view);
    default:
      return null;
  }
}

function ended({ phase, task }: LoopView): string {
  const why = "reason" in phase && phase.reason !== null ? `: ${cut(phase.reason, 120)}` : "";
  return `${status(phase.status, task?.filed?.place)}${why}`;
}
