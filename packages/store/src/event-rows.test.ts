import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { EventQuery } from "@ralpher/contract";
import { newLoopId } from "./conformance.ts";
import { rowsStatement } from "./event-rows.ts";
import { migrate } from "./schema.ts";

const loopId = newLoopId();
const queries: [string, EventQuery][] = [
  ["a page", { loopId, after: 5 }],
  ["the newest", { loopId, newest: true, before: 9 }],
  ["the newest of a type", { loopId, types: ["loop.message"], newest: true, limit: 1 }],
  ["a page of some types", { loopId, types: ["loop.message", "loop.tool_call"], after: 5, before: 9 }],
];

test.each(queries)("%s of a loop is read from a range of an index, without sorting the loop", (_name, query) => {
  using db = new Database(":memory:");
  migrate(db, ":memory:");
  const { sql, values } = rowsStatement(query);
  const plan = db
    .query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map(({ detail }) => detail);
  const reads = plan.filter((step) => /(SCAN|SEARCH) events\b/.test(step));
  // What is looked up by its seq was found in an index before.
  const ranges = reads.filter((step) => !step.includes("INTEGER PRIMARY KEY (rowid=?)"));
  const index = query.types === undefined ? "events_of_loop (loop_id=?" : "events_by_type (loop_id=? AND type=?";
  expect(ranges).toHaveLength(query.types?.length ?? 1);
  for (const step of ranges) expect(step).toContain(index);
  // Only the short ranges' ends are put in order, never the events.
  if (query.types === undefined) expect(plan.join("\n")).not.toContain("TEMP B-TREE");
});
