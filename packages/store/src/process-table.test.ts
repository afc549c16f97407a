import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { LoopId } from "@ralpher/contract";
import { ProcessTable } from "./process-table.ts";
import { migrate } from "./schema.ts";

test("closing fails for no database that cannot be written: what is left there is a dead process's", () => {
  const db = new Database(":memory:");
  migrate(db, ":memory:");
  const table = new ProcessTable(db);
  expect(table.lease("loop-1" as LoopId)).not.toBeNull();
  db.run("PRAGMA query_only = 1");
  expect(() => db.run("DELETE FROM leases")).toThrow();
  table.close();
  expect(db.query("SELECT loop_id FROM leases").all()).toHaveLength(1);
  db.close();
});
