import { expect, test } from "bun:test";
import { foldAll } from "@ralpher/contract";
import fc from "fast-check";
import { stored, story } from "../../test/events.ts";
import {
  type Arrival,
  beginKind,
  beginWith,
  foldArrivals,
  foldNewer,
  foldOlder,
  goTo,
  goToNewest,
  readArrival,
  shownStretch,
  streamFrom,
} from "./loop-state.ts";

const durable = (event: ReturnType<typeof story>[number]): Arrival => ({ durable: true, event });

function beginAt(cut: number, pageSize = 200) {
  const events = story().slice(0, cut);
  const view = foldAll(null, events);
  if (view === null) throw new Error("the story makes a loop");
  return beginWith(view, events.slice(-pageSize), pageSize);
}

test("[R-WEB-3] a stream's message becomes an event with its place in the journal", () => {
  const { seq, ...body } = stored(7, { type: "loop.paused" });
  expect(readArrival({ seq, data: JSON.stringify(body) })).toEqual({ durable: true, event: { ...body, seq } });
});

test("[R-WEB-3] snapshot and stream meet without gap or repeat, wherever the stream begins", () => {
  const events = story();
  const whole = beginAt(events.length);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: events.length }), fc.integer({ min: 0, max: events.length }), (cut, from) => {
      const resumed = foldArrivals(beginAt(cut), events.slice(Math.min(from, cut)).map(durable));
      expect(resumed.view).toEqual(whole.view);
      expect(resumed.log.entries).toEqual(whole.log.entries);
    }),
  );
});

test("[R-WEB-3] the view is the contract's own fold of the same events", () => {
  const events = story();
  const state = foldArrivals(beginAt(4), events.slice(4).map(durable));
  expect(state.view).toEqual(foldAll(null, events) as NonNullable<ReturnType<typeof foldAll>>);
});

test("a batch without news keeps the log and the view as they are", () => {
  const state = beginAt(9);
  const same = foldArrivals(state, story().slice(0, 9).map(durable));
  expect(same.view).toBe(state.view);
  expect(same.log).toBe(state.log);
});

test("older pages come in until one is short: then the beginning is reached", () => {
  const newest = beginAt(17, 5);
  expect(newest.reachesBeginning).toBe(false);
  const middle = foldOlder(newest, story().slice(7, 12), 5);
  expect(middle.reachesBeginning).toBe(false);
  const all = foldOlder(middle, story().slice(3, 7), 5);
  expect(all.reachesBeginning).toBe(true);
  expect(all.log.events.map(({ seq }) => seq)).toEqual(
    story()
      .slice(3)
      .map(({ seq }) => seq),
  );
});

test("a deleted loop is known as such, and what it was stays readable", () => {
  const state = foldArrivals(beginAt(5), [durable(stored(30, { type: "loop.deleted" }))]);
  expect(state.deleted).toBe(true);
  expect(state.view.config.name).toBe("parser");
});

const seqs = (state: ReturnType<typeof beginAt>) => shownStretch(state).log.events.map(({ seq }) => seq);

test("[R-WEB-3] snapshot and log may be of different moments: the view is folded up, the stream begins at the older", () => {
  const events = story();
  const early = foldAll(null, events.slice(0, 5));
  const late = foldAll(null, events);
  if (early === null || late === null) throw new Error("the story makes a loop");
  expect(beginWith(early, events.slice(-8), 8).view.seq).toBe(late.seq);
  expect(streamFrom(beginWith(late, events.slice(2, 8), 6))).toBe(8);
});

test("[R-WEB-3] a place far back is a stretch of its own, which grows both ways until it meets the newest", () => {
  const newest = beginAt(17, 4);
  const away = goTo(newest, story().slice(2, 5), story().slice(5, 8), [3, 3]);
  expect(seqs(away)).toEqual([3, 4, 5, 6, 7, 8]);
  expect(away.place).toBe(newest.place + 1);
  const older = foldOlder(away, story().slice(0, 2), 3);
  expect(shownStretch(older).reachesBeginning).toBe(true);
  const longer = foldNewer(older, story().slice(8, 11), 3);
  expect(longer.away).not.toBeNull();
  const met = foldNewer(longer, story().slice(11, 14), 3);
  expect(met.away).toBeNull();
  expect(seqs(met)).toEqual(story().map(({ seq }) => seq));
  expect(met.place).toBe(away.place);
  expect(met.reachesBeginning).toBe(true);
});

test("what arrives while the reader is far back is at the newest when they return", () => {
  const away = goTo(beginAt(14, 4), story().slice(0, 3), story().slice(3, 6), [3, 3]);
  const later = foldArrivals(away, story().slice(14).map(durable));
  expect(seqs(later)).toEqual(seqs(away));
  expect(later.arrived).toBe(3);
  expect(seqs(goToNewest(later))).toEqual([11, 12, 13, 14, 15, 16, 17]);
});

test("[R-WEB-3] with a choice of kinds only those are in the log, also of what arrives; the view misses nothing", () => {
  const chosen = beginKind(beginAt(10), "commits");
  expect(seqs(chosen)).toEqual([]);
  const later = foldArrivals(chosen, story().slice(10).map(durable));
  expect(seqs(later)).toEqual([13]);
  expect(later.view.seq).toBe(17);
});

test("a reader far up in a log that grows very long keeps their place while the newest begins anew", () => {
  const lines = Array.from({ length: 10_100 }, (_, index) =>
    durable(stored(100 + index, { type: "loop.notice", iteration: 2, text: `${index}` })),
  );
  const grown = foldArrivals(beginAt(17), lines);
  expect(grown.place).toBe(0);
  expect(shownStretch(grown).log.entries.length).toBeGreaterThan(10_000);
  expect(grown.log.events.length).toBeLessThan(1_000);
  expect(goToNewest(grown).log.events.at(-1)?.seq).toBe(10_199);
});
