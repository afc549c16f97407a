import type { Database } from "bun:sqlite";
import type { DurableEvent, LoopId, RawEvent, SearchHit, SearchPage, SearchQuery } from "@ralpher/contract";
import { readRows } from "./event-rows.ts";
import { createNeedle, excerptOf, findText, type Needle } from "./find-text.ts";
import { readableTexts, readableTypes } from "./readable-texts.ts";

/** After so many milliseconds others have their turn. */
const sliceMs = 6;
/** After so many milliseconds the answer goes out with what was found. */
const budgetMs = 250;
/** So many characters, about, are taken from the database at once; events may be tiny, or as large as a prompt. */
const charactersAtOnce = 500_000;
const mostRowsAtOnce = 500;

/** See Journal. */
export async function search(
  db: Database,
  loopId: LoopId,
  { text, before, limit = 100 }: SearchQuery,
): Promise<SearchPage> {
  const needle = createNeedle(text);
  const hits: SearchHit[] = [];
  const began = performance.now();
  let sliceBegan = began;
  let at = before;
  let wanted = 16;
  for (;;) {
    const rows = readRows(db, { loopId, types: [...readableTypes], before: at, newest: true, limit: wanted });
    for (const row of rows.reverse()) {
      const hit = findIn(db, row, needle);
      at = row.seq;
      if (hit !== null) hits.push(hit);
      if (hits.length === limit) return { hits, next: at };
      const now = performance.now();
      if (now - began > budgetMs) return { hits, next: at };
      if (now - sliceBegan < sliceMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceBegan = performance.now();
    }
    if (rows.length < wanted) return { hits, next: null };
    const size = rows.reduce((sum, { json }) => sum + json.length, 0) / rows.length;
    wanted = Math.min(mostRowsAtOnce, Math.ceil(charactersAtOnce / size));
  }
}

function findIn(db: Database, { seq, json }: RawEvent, needle: Needle): SearchHit | null {
  // Most events do not have it, and need no parsing.
  if (!json.toLowerCase().includes(needle.inJson)) return null;
  const event: DurableEvent = JSON.parse(json);
  for (const text of readableTexts(event)) {
    const found = findText(text, needle);
    if (found === null) continue;
    const iteration = "iteration" in event ? event.iteration : iterationAt(db, event.loopId, seq);
    return { seq, iteration, type: event.type, ...excerptOf(text, found) };
  }
  return null;
}

/** The iteration under way, or the last one before, for events that belong to none. */
function iterationAt(db: Database, loopId: LoopId, seq: number): number {
  const [row] = readRows(db, { loopId, types: ["loop.iteration.start"], before: seq, newest: true, limit: 1 });
  return row === undefined ? 0 : JSON.parse(row.json).iteration;
}
