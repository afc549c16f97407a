import type { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Lease, LeaseHolder, LoopId, Service } from "@ralpher/contract";

/** A process that stops renewing (it hangs, the machine slept) loses what it holds after so many milliseconds. */
const expiryMs = 10_000;
const renewEveryMs = 2_000;

/**
 * The processes at work on this data root, and the loops each of them holds. A dead process is told by its pid and
 * birth at once; one that hangs by its expiry.
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
    const takenFrom = this.#db
      .transaction((): { holder: LeaseHolder | null } | null => {
        const current = this.#rowOf(loopId);
        if (current !== null && isAlive(current)) return null;
        this.#register();
        this.#db.run("INSERT OR REPLACE INTO leases (loop_id, owner) VALUES (?, ?)", [loopId, this.#owner]);
        return { holder: current && { owner: current.owner, pid: current.pid } };
      })
      .immediate();
    if (takenFrom === null) return null;
    const lost = new AbortController();
    this.#held.set(loopId, lost);
    return {
      takenFrom: takenFrom.holder,
      lost: lost.signal,
      [Symbol.asyncDispose]: async () => {
        if (this.#held.get(loopId) !== lost) return;
        this.#held.delete(loopId);
        this.#db.run("DELETE FROM leases WHERE loop_id = ? AND owner = ?", [loopId, this.#owner]);
      },
    };
  }

  holder(loopId: LoopId): LeaseHolder | null {
    const row = this.#rowOf(loopId);
    return row !== null && isAlive(row) ? { owner: row.owner, pid: row.pid } : null;
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
    return rows.filter(isAlive).map(({ pid, url }) => ({ pid, url: url ?? "" }));
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM leases WHERE owner = ?", [this.#owner]);
      this.#db.run("DELETE FROM processes WHERE owner = ?", [this.#owner]);
    })();
  }

  #rowOf(loopId: LoopId): ProcessRow | null {
    return this.#db
      .query<ProcessRow, [string]>("SELECT p.* FROM leases l JOIN processes p USING (owner) WHERE l.loop_id = ?")
      .get(loopId);
  }

  #register(): void {
    this.#db.run("INSERT OR REPLACE INTO processes (owner, pid, born, url, expires_ms) VALUES (?, ?, ?, ?, ?)", [
      this.#owner,
      process.pid,
      bornAt(process.pid) ?? "",
      this.#url,
      Date.now() + expiryMs,
    ]);
    this.#timer ??= setInterval(() => this.#renew(), renewEveryMs);
    this.#timer.unref?.();
  }

  /** Stay alive in the table, forget the dead, and notice leases that somebody else has taken meanwhile. */
  #renew(): void {
    try {
      this.#db.transaction(() => {
        this.#register();
        const dead = this.#db
          .query<ProcessRow, []>("SELECT * FROM processes WHERE owner NOT IN (SELECT owner FROM leases)")
          .all()
          .filter((row) => !isAlive(row));
        for (const { owner } of dead) this.#db.run("DELETE FROM processes WHERE owner = ?", [owner]);
      })();
      for (const [loopId, lost] of this.#held) {
        if (this.#rowOf(loopId)?.owner === this.#owner) continue;
        this.#held.delete(loopId);
        lost.abort();
      }
    } catch {
      // A disk that is full or gone for a moment: the next renewal comes soon, and expiry is five renewals away.
    }
  }
}

interface ProcessRow {
  owner: string;
  pid: number;
  born: string;
  url: string | null;
  expires_ms: number;
}

function isAlive(row: ProcessRow): boolean {
  if (row.expires_ms < Date.now()) return false;
  if (row.pid === process.pid) return true;
  try {
    process.kill(row.pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // A pid is reused sooner or later; its birth is not. Where birth cannot be read the expiry has to do.
  const born = bornAt(row.pid);
  return born === null || row.born === "" || born === row.born;
}

/** When the kernel started the process, in its own ticks (Linux, /proc/<pid>/stat field 22); null elsewhere. */
function bornAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
