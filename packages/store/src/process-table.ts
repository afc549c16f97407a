import type { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { Fault, type Lease, type LeaseHolder, type LoopId, type Service } from "@ralpher/contract";
import { isAlive, ownBirth } from "./process-birth.ts";

const renewEveryMs = 2_000;
/** A process whose life cannot be seen from here counts as dead when it has not renewed for so long. */
const unseenExpiryMs = 60_000;

/**
 * The processes at work on this data root, and the loops each of them holds. A process that lives is never robbed: two
 * agents in one tree would be worse than a loop that waits for somebody to end a process that hangs.
 */
export class ProcessTable {
  readonly #db: Database;
  readonly #owner = `${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly #held = new Map<LoopId, AbortController>();
  #url: string | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  lease(loopId: LoopId): Lease | null {
    if (this.#held.has(loopId)) return null;
    const isTaken = this.#db
      .transaction(() => {
        const current = this.#rowOf(loopId);
        // A row of our own that we do not hold was left behind by a release that failed.
        if (current !== null && current.owner !== this.#owner && lives(current)) return false;
        this.#register();
        this.#db.run("INSERT OR REPLACE INTO leases (loop_id, owner) VALUES (?, ?)", [loopId, this.#owner]);
        return true;
      })
      .immediate();
    if (!isTaken) return null;
    const lost = new AbortController();
    this.#held.set(loopId, lost);
    return {
      lost: lost.signal,
      [Symbol.asyncDispose]: async () => {
        if (this.#held.get(loopId) !== lost) return;
        this.#held.delete(loopId);
        try {
          this.#db.run("DELETE FROM leases WHERE loop_id = ? AND owner = ?", [loopId, this.#owner]);
        } catch {
          // The disk is full or the database locked: the row goes with the next renewal that succeeds.
        }
      },
    };
  }

  /** @throws Fault `loop_busy` when the loop is no longer this process's */
  requireHeld(loopId: LoopId): void {
    const row = this.#rowOf(loopId);
    if (row?.owner === this.#owner && this.#held.has(loopId)) return;
    throw new Fault("loop_busy", { id: loopId, owner: row === null ? "nobody" : `process ${row.pid}` });
  }

  holder(loopId: LoopId): LeaseHolder | null {
    const row = this.#rowOf(loopId);
    if (row === null || !lives(row) || (row.owner === this.#owner && !this.#held.has(loopId))) return null;
    return { owner: row.owner, pid: row.pid };
  }

  announce(url: string): AsyncDisposable {
    this.#url = url;
    this.#register();
    return {
      [Symbol.asyncDispose]: async () => {
        this.#url = null;
        this.#register();
      },
    };
  }

  services(): Service[] {
    const rows = this.#db.query<ProcessRow, []>("SELECT * FROM processes WHERE url IS NOT NULL").all();
    return rows.filter(lives).map(({ pid, url }) => ({ pid, url: url ?? "" }));
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    try {
      this.#db.transaction(() => {
        this.#db.run("DELETE FROM leases WHERE owner = ?", [this.#owner]);
        this.#db.run("DELETE FROM processes WHERE owner = ?", [this.#owner]);
      })();
    } catch {
      // The disk is full or the database locked: once this process is gone, the others see that by its rows.
    }
  }

  #rowOf(loopId: LoopId): ProcessRow | null {
    return this.#db
      .query<ProcessRow, [string]>("SELECT p.* FROM leases l JOIN processes p USING (owner) WHERE l.loop_id = ?")
      .get(loopId);
  }

  #register(): void {
    this.#db.run(
      "INSERT OR REPLACE INTO processes (owner, pid, namespace, ticks, url, heard_ms) VALUES (?, ?, ?, ?, ?, ?)",
      [this.#owner, process.pid, ownBirth.namespace, ownBirth.ticks, this.#url, Date.now()],
    );
    this.#timer ??= setInterval(() => this.#renew(), renewEveryMs);
    this.#timer.unref?.();
  }

  /** Stay alive in the table, put away what is left of the dead and of ourselves, and notice what somebody else took. */
  #renew(): void {
    try {
      this.#db.transaction(() => {
        this.#register();
        for (const { loop_id } of this.#leasesOf(this.#owner)) {
          if (!this.#held.has(loop_id)) this.#db.run("DELETE FROM leases WHERE loop_id = ?", [loop_id]);
        }
        const idle = this.#db
          .query<ProcessRow, []>("SELECT * FROM processes WHERE owner NOT IN (SELECT owner FROM leases)")
          .all();
        for (const row of idle) {
          if (!lives(row)) this.#db.run("DELETE FROM processes WHERE owner = ?", [row.owner]);
        }
      })();
      for (const [loopId, lost] of this.#held) {
        if (this.#rowOf(loopId)?.owner === this.#owner) continue;
        this.#held.delete(loopId);
        lost.abort();
      }
    } catch {
      // The disk is full or the database locked for a moment: the next renewal comes soon.
    }
  }

  #leasesOf(owner: string): { loop_id: LoopId }[] {
    return this.#db.query<{ loop_id: LoopId }, [string]>("SELECT loop_id FROM leases WHERE owner = ?").all(owner);
  }
}

interface ProcessRow {
  owner: string;
  pid: number;
  namespace: string;
  ticks: string;
  url: string | null;
  heard_ms: number;
}

function lives(row: ProcessRow): boolean {
  return isAlive(row.pid, row) ?? Date.now() - row.heard_ms < unseenExpiryMs;
}
