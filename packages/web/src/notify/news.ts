import type { LoopId, LoopSummary } from "@ralpher/contract";
import { bandOf } from "../words/bands.ts";
import { plainWords } from "../words/cut.ts";
import { standingOf, wordOf } from "../words/state.ts";
import type { NotifyPrefs } from "./prefs.ts";

/** Something worth looking up for. */
export interface News {
  id: LoopId;
  title: string;
  text: string;
}

type Lines = ReadonlyMap<LoopId, LoopSummary>;

/**
 * What happened between two states of the list that this person wants to hear of. A loop not seen before is no news,
 * nor is one whose page is on the screen: `lookingAt`.
 */
export function newsBetween(before: Lines, after: Lines, prefs: NotifyPrefs, lookingAt: string | null): News[] {
  if (before === after) return [];
  const news: News[] = [];
  for (const [id, loop] of after) {
    const known = before.get(id);
    const { status, reason, lastText } = loop.state;
    if (known === undefined || known === loop || known.state.status === status || id === lookingAt) continue;
    const standing = standingOf(loop);
    // What a person did themself is no news to them: they stopped it, accepted it, or held it.
    const needs = bandOf(standing) === "needs-you" && status !== "paused" && status !== "stopped";
    const ends = status === "completed" || status === "max_iterations" || status === "failed";
    if (!((needs && prefs.needsYou) || (ends && prefs.ended))) continue;
    news.push({ id, title: `${wordOf(standing)}: ${loop.config.name}`, text: reason ?? plainWords(lastText ?? "") });
  }
  return news;
}
