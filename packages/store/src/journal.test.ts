import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldAll, isFault } from "@ralpher/contract";
import { eventOf, journalConformance, newLoopId, sampleConfig } from "./conformance.ts";
import { openJournal } from "./journal.ts";

journalConformance("sqlite", (path) => openJournal({ path }));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-store-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A process of its own that holds a lease and appends without end, one transaction after the other. */
async function startWriter(path: string) {
  const id = newLoopId();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../test/endless-writer.ts"), path, id], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  await reader.read(); // it says when it is under way
  return { id, child };
}

describe("death of a process", () => {
  test("[R-DATA-2] kill -9 in the middle of writing leaves view and events in step", async () => {
    const path = join(folder, "killed.db");
    const { id, child } = await startWriter(path);
    await using journal = openJournal({ path });
    const enough = Promise.withResolvers<void>();
    journal.subscribe(({ event }) => {
      if (event.type === "loop.notice" && Number(event.text) > 200) enough.resolve();
    });
    await enough.promise;
    child.kill("SIGKILL");
    await child.exited;
    const events = await journal.read({ loopId: id, limit: 1_000_000 });
    expect(foldAll(null, events)).toEqual(await journal.find(id));
    const numbers = events.flatMap((e) => (e.type === "loop.notice" ? [Number(e.text)] : []));
    expect(numbers).toEqual(numbers.map((_, i) => i));
  });

  test("[R-DATA-2] a dead process loses its loops at once, a living one does not", async () => {
    const path = join(folder, "leased.db");
    const { id, child } = await startWriter(path);
    await using journal = openJournal({ path });
    expect(await journal.lease(id)).toBeNull();
    child.kill("SIGKILL");
    await child.exited;
    expect(await journal.lease(id)).not.toBeNull();
    expect(await journal.holder(id)).toMatchObject({ pid: process.pid });
  });
});

describe("a database that another program holds locked", () => {
  test("is waited for", async () => {
    const path = join(folder, "locked.db");
    await using journal = openJournal({ path });
    const id = newLoopId();
    const other = new Database(path);
    other.run("BEGIN IMMEDIATE");
    const appending = journal.append(id, () => [eventOf(id, { type: "loop.created", config: sampleConfig(id) })]);
    let isThrough = false;
    void appending.then(() => {
      isThrough = true;
    });
    await journal.latest(); // reading goes on meanwhile, and so does this process
    expect(isThrough).toBe(false);
    other.run("ROLLBACK");
    expect((await appending)?.id).toBe(id);
    other.close();
  });

  test("[R-DATA-2] does not keep a loop from being taken up again", async () => {
    const path = join(folder, "unreleased.db");
    await using journal = openJournal({ path });
    const id = newLoopId();
    const lease = await journal.lease(id);
    const other = new Database(path);
    other.run("BEGIN IMMEDIATE");
    await lease?.[Symbol.asyncDispose]();
    other.run("ROLLBACK");
    other.close();
    expect(await journal.holder(id)).toBeNull();
    expect(await journal.lease(id)).not.toBeNull();
  });
});

describe("a database of an older version", () => {
  test("[R-DATA-2] is read on: what its views lack is as if it never happened", async () => {
    const path = join(folder, "older.db");
    const id = newLoopId();
    {
      await using journal = openJournal({ path });
      await journal.append(id, () => [
        eventOf(id, { type: "loop.created", config: sampleConfig(id) }),
        eventOf(id, { type: "loop.starting" }),
        eventOf(id, { type: "loop.started", iteration: 1 }),
        eventOf(id, { type: "loop.iteration.start", iteration: 1 }),
      ]);
    }
    const db = new Database(path);
    db.run("UPDATE loops SET view = json_remove(view, '$.said', '$.pullRequest', '$.phase.open.said')");
    for (const table of ["settings", "intakes"]) db.run(`DROP TABLE ${table}`);
    db.run("DROP INDEX events_by_type");
    db.run("PRAGMA user_version = 1");
    db.close();
    await using journal = openJournal({ path });
    const view = await journal.find(id);
    expect(view).toEqual(foldAll(null, await journal.read({ loopId: id })));
    expect(view).toMatchObject({ said: [], pullRequest: null, phase: { open: { said: 0 } } });
  });
});

describe("a long search", () => {
  test("leaves the process free for others meanwhile", async () => {
    await using journal = openJournal({ path: join(folder, "searched.db") });
    const id = newLoopId();
    const text = "haystack ".repeat(12_000);
    await journal.append(id, () => [
      eventOf(id, { type: "loop.created", config: sampleConfig(id) }),
      ...Array.from({ length: 600 }, () => eventOf(id, { type: "loop.notice", iteration: 0, text })),
    ]);
    let turns = 0;
    let searching = true;
    const others = (async () => {
      for (; searching; turns++) await new Promise((resolve) => setImmediate(resolve));
    })();
    for (let before: number | null | undefined; before !== null; ) {
      before = (await journal.search(id, { text: "needle", before })).next;
    }
    searching = false;
    await others;
    // 65 million characters: far more than go into one slice on any machine.
    expect(turns).toBeGreaterThan(1);
  });
});

describe("bad ground", () => {
  const faultOf = (open: () => unknown) => {
    try {
      open();
    } catch (error) {
      return isFault(error) ? error.code : error;
    }
    return null;
  };

  test("[R-DATA-1] a file that is no database is refused and left as it is", async () => {
    const path = join(folder, "broken.db");
    await writeFile(path, "this is not a database, but it is somebody's file".repeat(100));
    const before = await Bun.file(path).bytes();
    expect(faultOf(() => openJournal({ path }))).toBe("database_corrupt");
    expect(await Bun.file(path).bytes()).toEqual(before);
  });

  test("[R-DATA-1] a data root that cannot be made is refused", async () => {
    await writeFile(join(folder, "file"), "");
    expect(faultOf(() => openJournal({ path: join(folder, "file", "below", "ralpher.db") }))).toBe(
      "data_root_unusable",
    );
  });

  test("a database of a newer version is refused", async () => {
    const path = join(folder, "newer.db");
    await openJournal({ path })[Symbol.asyncDispose]();
    const db = new Database(path);
    db.run("PRAGMA user_version = 9999");
    db.close();
    expect(faultOf(() => openJournal({ path }))).toBe("data_root_unusable");
  });

  // A file system of its own with 1 MiB; only root can mount one.
  test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")(
    "a full disk is a fault, and what was stored before stays",
    async () => {
      const small = join(folder, "small");
      await mkdir(small);
      const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=1m", "none", small]);
      expect(mounted.exitCode).toBe(0);
      try {
        await using journal = openJournal({ path: join(small, "ralpher.db") });
        const id = newLoopId();
        await journal.append(id, () => [eventOf(id, { type: "loop.created", config: sampleConfig(id) })]);
        let kept = 1;
        const fill = async () => {
          for (;;) {
            const text = "x".repeat(10_000);
            await journal.append(id, () => [eventOf(id, { type: "loop.notice", iteration: 0, text })]);
            kept += 1;
          }
        };
        expect(await fill().catch((error) => (isFault(error) ? error.code : error))).toBe("disk_full");
        expect(await journal.read({ loopId: id })).toHaveLength(kept);
      } finally {
        Bun.spawnSync(["umount", "-l", small]);
      }
    },
  );
});
