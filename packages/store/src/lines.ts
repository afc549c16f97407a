import type { Database } from "bun:sqlite";
import type { LoopId, LoopQuery } from "@ralpher/contract";

/** So many lines are kept; each is about a kilobyte. */
const mostKept = 5_000;

/**
 * The list of loops, a line of JSON each. A line that was read once is kept, and read again only when something
 * happened in its loop since: SQLite needs fifteen times longer for the lines than for their order.
 */
export class Lines {
  readonly #db: Database;
  readonly #kept = new Map<LoopId, { seq: number; json: string }>();

  constructor(db: Database) {
    this.#db = db;
  }

  list(query: LoopQuery): string[] {
    const { where, values } = conditions(query);
    const rows = this.#db
      .query<{ id: LoopId; seq: number }, (string | number)[]>(
        `SELECT id, seq FROM loops ${where} ORDER BY last_activity DESC, id LIMIT ? OFFSET ?`,
      )
      .all(...values, query.limit ?? 1000, query.offset ?? 0);
    if (this.#kept.size > mostKept) this.#kept.clear();
    return rows.flatMap(({ id, seq }) => this.#line(id, seq) ?? []);
  }

  count(query: LoopQuery): number {
    const { where, values } = conditions(query);
    const row = this.#db
      .query<{ count: number }, (string | number)[]>(`SELECT count(*) AS count FROM loops ${where}`)
      .get(...values);
    return row?.count ?? 0;
  }

  /** Null when another process removed the loop just now. */
  #line(id: LoopId, seq: number): string | null {
    const kept = this.#kept.get(id);
    if (kept?.seq === seq) return kept.json;
    const row = this.#db.query<{ summary: string }, [string]>("SELECT summary FROM loops WHERE id = ?").get(id);
    if (row === null) this.#kept.delete(id);
    else this.#kept.set(id, { seq, json: row.summary });
    return row?.summary ?? null;
  }
}

function conditions(query: LoopQuery): { where: string; values: (string | number)[] } {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  if (query.status !== undefined) {
    parts.push(`status IN (${query.status.map(() => "?").join(",")})`);
    values.push(...query.status);
  }
  if (query.text !== undefined && query.text !== "") {
    parts.push("(name LIKE ? ESCAPE '\\' OR directory LIKE ? ESCAPE '\\')");
    values.push(`%${likeText(query.text)}%`, `%${likeText(query.text)}%`);
  }
  return { where: parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "", values };
}

/** User text inside a LIKE pattern means itself. */
export function likeText(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
