import { expect, test } from "bun:test";
import { foldAll } from "@ralpher/contract";
import fc from "fast-check";
import { stored, story } from "../../test/events.ts";
import { type Arrival, beginWith, foldArrivals, foldOlder, readArrival } from "./loop-state.ts";

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
