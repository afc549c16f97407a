import { type LoopStatus, type LoopView, type TaskPlace, type Usage, workedMs } from "@ralpher/contract";
import { printable } from "./printable.ts";
import { accent, attention, bad, dim, good } from "./style.ts";

export { printable } from "./printable.ts";

/** 850 ms, 3.2 s, 4 min 5 s, 2 h 3 min */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time of today by the clock, any other with its date. */
export function moment(at: string): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

/** 950, 12.3 k, 1.2 M; unknown is –, never 0. */
export function count(value: number | null): string {
  if (value === null) return "–";
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${(value / 1000).toFixed(1)} k`;
  return `${(value / 1_000_000).toFixed(1)} M`;
}

export function usage({ inputTokens, outputTokens, costUsd }: Usage): string {
  const money = costUsd === null ? "–" : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
  return `${count(inputTokens)} in, ${count(outputTokens)} out, ${money}`;
}

const looks: Record<LoopStatus, { glyph: string; paint: (text: string) => string; word: string }> = {
  idle: { glyph: "○", paint: dim, word: "idle" },
  starting: { glyph: "◌", paint: accent, word: "starting" },
  running: { glyph: "●", paint: accent, word: "running" },
  waiting: { glyph: "◔", paint: accent, word: "waiting" },
  paused: { glyph: "‖", paint: attention, word: "paused" },
  completed: { glyph: "✓", paint: good, word: "completed" },
  stopped: { glyph: "■", paint: dim, word: "stopped" },
  failed: { glyph: "✗", paint: bad, word: "failed" },
  max_iterations: { glyph: "▲", paint: attention, word: "out of iterations" },
  stuck: { glyph: "?", paint: attention, word: "stuck" },
  accepted: { glyph: "✓", paint: dim, word: "accepted" },
  discarded: { glyph: "–", paint: dim, word: "discarded" },
};

/** A glyph and a word, coloured: never colour alone. `filed`: where a task's file was put. */
export function status(value: LoopStatus, filed?: TaskPlace | undefined): string {
  if (value === "stopped" && filed === "rejected") return dim("– called off");
  const { glyph, paint, word } = looks[value];
  return paint(`${glyph} ${word}`);
}

/** The first line, cut to so many characters. */
export function short(text: string, most: number): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  return cut(line.trim(), most);
}

/** Printable, on one line, cut to so many characters. */
export function cut(text: string, most: number): string {
  const line = printable(text).replaceAll("\n", " ");
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** 3 files, 1 file */
export function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** What a loop has done so far, in a line. */
export function totals(view: LoopView): string {
  const took = view.startedAt === null ? "" : `, ${duration(workedMs(view, Date.now()))} of work`;
  return `${plural(view.iteration, "iteration")}, ${plural(view.commitCount, "commit")}${took}; tokens ${usage(view.usage)}`;
}

/** Something to do, in words, and its command. */
export function actionLine([words, command]: [string, string]): string {
  return `${`${words}:`.padEnd(14)} ${printable(command)}`;
}
