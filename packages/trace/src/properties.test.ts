import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { workItemStatuses } from "@ralpher/contract";
import fc from "fast-check";
import { findCycle } from "./cycle.ts";
import { parseLine, renderLine } from "./item-line.ts";
import { requireSchema } from "./schema.ts";
import { createStage } from "./stage.fixture.ts";

const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.constant('ä\u2028\x7f\0\\"'));
const title = text.filter((value) => value.isWellFormed());
const stamp = fc.integer({ min: 0, max: 10 ** 12 }).map((ms) => new Date(ms).toISOString().replace(/Z$/, "000Z"));
const comment = fc.record({ content: title, source: title, created_at: stamp });
const record = fc.record({
  title,
  description: fc.option(title),
  status: fc.constantFrom(...workItemStatuses),
  priority: fc.integer({ min: 0, max: 4 }),
  created_at: stamp,
  updated_at: stamp,
  closed_at: fc.option(stamp),
  comments: fc
    .array(comment, { maxLength: 3 })
    .map((all) => all.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))),
});

test("[W-1] what is read from a line is written as the same line, in ASCII", () => {
  fc.assert(
    fc.property(record, (fields) => {
      const line = renderLine({ id: "app-aaaaaa", ...fields, dependencies: [] });
      expect(line).toMatch(/^[ -~]*$/);
      const read = parseLine(line);
      expect(typeof read === "string" ? read : renderLine(read)).toBe(
        renderLine({
          id: "app-aaaaaa",
          title: fields.title,
          description: fields.description,
          status: fields.status,
          priority: fields.priority,
          created_at: fields.created_at,
          updated_at: fields.updated_at,
          closed_at: fields.closed_at,
          dependencies: [],
          comments: fields.comments,
        }),
      );
    }),
  );
});

test("[W-1] a project that is taken in from its file is written as the same file", async () => {
  const project = fc.array(fc.tuple(record, fc.nat(), fc.constantFrom("parent", "blocks", "related")), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(project, async (all) => {
      using stage = createStage();
      const idOf = (at: number) => `app-${String(at).padStart(6, "0")}`;
      const lines = all.map(([fields, other, type], at) => {
        const dependsOn = other % all.length;
        const { title: name, description, status, priority, created_at, updated_at, closed_at, comments } = fields;
        return renderLine({
          ...{ id: idOf(at), title: name, description, status, priority, created_at, updated_at, closed_at },
          dependencies: dependsOn === at ? [] : [{ depends_on_id: idOf(dependsOn), type }],
          comments,
        });
      });
      const file = lines.map((line) => `${line}\n`).join("");
      stage.writeJsonl(file);
      await stage.items().sync();
      expect(stage.jsonl()).toBe(file);
      // Something is written for sure, and all else is as it was.
      const made = await stage.items().create({ title: "One more", description: "" });
      const rest = stage
        .jsonl()
        .split("\n")
        .filter((line) => line !== "" && !line.includes(made.id));
      expect(rest).toEqual(lines);
      expect(stage.problems).toEqual([]);
    }),
    { numRuns: 15 },
  );
}, 120_000);

test("[W-3] dependencies that are let in never make a cycle, and none is refused without one", () => {
  const edges = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom("parent" as const, "blocks" as const)));
  fc.assert(
    fc.property(edges, (asked) => {
      using db = new Database(":memory:");
      requireSchema(db, join("memory"));
      for (let n = 0; n < 6; n++)
        db.run("INSERT INTO issues VALUES (?, 'p', 't', '', 'open', 2, '', '', NULL)", [`${n}`]);
      const reach: Record<"parent" | "blocks", boolean[][]> = { parent: empty(), blocks: empty() };
      for (const [from, to, type] of asked) {
        const cycle = findCycle(db, `${from}`, `${to}`, type);
        const closure = reach[type];
        expect(cycle !== null).toBe(from === to || closure[to]?.[from] === true);
        if (cycle !== null) {
          expect([cycle[0], cycle.at(-1)]).toEqual([`${from}`, `${from}`]);
          continue;
        }
        const taken = db.run("INSERT OR IGNORE INTO dependencies VALUES (?, ?, ?, '')", [`${from}`, `${to}`, type]);
        if (taken.changes === 1) connect(closure, from, to);
      }
    }),
  );
});

const empty = () => Array.from({ length: 6 }, () => Array<boolean>(6).fill(false));

/** Whatever reaches `from` reaches `to` now, and whatever that reaches. */
function connect(closure: boolean[][], from: number, to: number): void {
  for (let a = 0; a < 6; a++) {
    if (a !== from && closure[a]?.[from] !== true) continue;
    for (let b = 0; b < 6; b++) if (b === to || closure[to]?.[b] === true) (closure[a] ?? [])[b] = true;
  }
}
