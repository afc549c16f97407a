import type { Database } from "bun:sqlite";
import type { EventQuery, Journal, RawEvent } from "@ralpher/contract";

type Value = string | number;

/** A stretch of the journal, oldest first. */
export function readRows(db: Database, query: EventQuery): RawEvent[] {
  const { sql, values } = rowsStatement(query);
  const rows = db.query<RawEvent, Value[]>(sql).all(...values);
  if (query.newest === true) rows.reverse();
  return rows;
}

/** How many there are, from the index alone. */
export function tallyRows(db: Database, query: Parameters<Journal["tally"]>[0]): number {
  const { where, values } = stretch(query);
  const one = db.query<{ count: number }, Value[]>(
    `SELECT count(*) AS count FROM events INDEXED BY events_by_type WHERE loop_id = ? AND type = ?${where}`,
  );
  return query.types.reduce((sum, type) => sum + (one.get(query.loopId, type, ...values)?.count ?? 0), 0);
}

/** Exported for the test that looks at SQLite's plan. */
export function rowsStatement(query: EventQuery): { sql: string; values: Value[] } {
  const { loopId, types } = query;
  if (loopId === undefined) return ofAllLoops(query);
  if (types === undefined) return ofLoop(query, loopId);
  return ofTypes(query, loopId, [...new Set(types)]);
}

function ofLoop(query: EventQuery, loopId: string) {
  const { where, values } = stretch(query);
  return {
    sql: `SELECT seq, json FROM events INDEXED BY events_of_loop WHERE loop_id = ?${where} ${ending(query)}`,
    values: [loopId, ...values, limitOf(query)],
  };
}

/**
 * One short range of the index for each type, and of all these the nearest: with `type IN (…)` SQLite would either read
 * the whole loop or sort all events of these types.
 */
function ofTypes(query: EventQuery, loopId: string, types: string[]) {
  const { where, values } = stretch(query);
  const range = `SELECT * FROM (SELECT seq FROM events INDEXED BY events_by_type WHERE loop_id = ? AND type = ?${where} ${ending(query)})`;
  const none = "SELECT 0 AS seq WHERE 0";
  const ranges = types.length === 0 ? none : types.map(() => range).join(" UNION ALL ");
  return {
    sql: `SELECT seq, json FROM (SELECT seq FROM (${ranges}) ${ending(query)}) JOIN events USING (seq) ORDER BY seq ${direction(query)}`,
    values: [...types.flatMap((type) => [loopId, type, ...values, limitOf(query)]), limitOf(query)],
  };
}

/** What came with a loop from elsewhere is history, and no news of all loops. */
function ofAllLoops(query: EventQuery) {
  const { where, values } = stretch(query);
  const { types } = query;
  const only = types === undefined ? "" : ` AND type IN (${types.map(() => "?").join(",")})`;
  return {
    sql: `SELECT seq, json FROM events WHERE ${isNews}${where}${only} ${ending(query)}`,
    values: [...values, ...(types ?? []), limitOf(query)],
  };
}

/** SQL: the row of `events` did not come along with a loop from elsewhere. */
export const isNews = "NOT EXISTS (SELECT 1 FROM intakes WHERE intakes.loop_id = events.loop_id AND seq < last)";

function stretch({ after, before }: EventQuery): { where: string; values: Value[] } {
  const values = [after, before].filter((bound) => bound !== undefined);
  return {
    where: `${after === undefined ? "" : " AND seq > ?"}${before === undefined ? "" : " AND seq < ?"}`,
    values,
  };
}

const direction = ({ newest }: EventQuery) => (newest === true ? "DESC" : "ASC");
const ending = (query: EventQuery) => `ORDER BY seq ${direction(query)} LIMIT ?`;
const limitOf = ({ limit = 1000 }: EventQuery) => limit;
