import type { LoopStatus, LoopSummary } from "@ralpher/contract";
import { isFiled, type Standing, standingOf } from "./state.ts";

export type BandName = "needs-you" | "running" | "idle" | "lately";

/** The bands of the overview, in the order people ask: does anything need me, does all go on, what is there? */
export const bandTitles: Record<BandName, string> = {
  "needs-you": "Needs you",
  running: "Running",
  lately: "Done",
  idle: "Idle",
};

const bandOfStatus: Record<LoopStatus, BandName> = {
  failed: "needs-you",
  stuck: "needs-you",
  paused: "needs-you",
  completed: "needs-you",
  max_iterations: "needs-you",
  starting: "running",
  running: "running",
  waiting: "running",
  idle: "idle",
  stopped: "idle",
  accepted: "lately",
  discarded: "lately",
};

/**
 * The band of a loop. One whose work was done elsewhere waits for nobody: there is nothing here to review, and nothing
 * stands still that did not stand still when it came. One that asks by a file waits for an answer, however it ended.
 */
export function bandOf(standing: Standing): BandName {
  const { status, elsewhere, asks, calledOff } = standing;
  if (calledOff) return "lately";
  const band = bandOfStatus[status];
  if (asks && band !== "running") return "needs-you";
  if (isFiled(standing)) return "lately";
  if (elsewhere !== true || band !== "needs-you") return band;
  return status === "completed" ? "lately" : "idle";
}

export type Bands = Record<BandName, LoopSummary[]>;

/**
 * Put loops into their bands. Newest activity first, but those under way by when they started: their activity changes
 * all the time, and lines that change places cannot be read.
 */
export function groupIntoBands(loops: Iterable<LoopSummary>): Bands {
  const bands: Bands = { "needs-you": [], running: [], idle: [], lately: [] };
  for (const loop of loops) bands[bandOf(standingOf(loop))].push(loop);
  for (const name of Object.keys(bands) as BandName[]) {
    const time = name === "running" ? startedAt : lastActivityAt;
    bands[name].sort((a, b) => compare(time(b), time(a)) || compare(a.config.id, b.config.id));
  }
  return bands;
}

// ISO times in UTC with the same number of figures sort as text.
const startedAt = (loop: LoopSummary) => loop.state.startedAt ?? loop.config.createdAt;
const lastActivityAt = (loop: LoopSummary) => loop.state.lastActivityAt ?? loop.config.createdAt;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
