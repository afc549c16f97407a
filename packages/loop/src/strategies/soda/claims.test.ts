import { describe, expect, test } from "bun:test";
import { type Comment, linksOf, type OwnChange, type SodaLine, type WorkItem } from "@ralpher/contract";
import { linksOfOpen } from "../../others-of.ts";
import { othersChanges } from "./others-changes.ts";
import { findRepeats } from "./repeats.ts";
import { workStateOf } from "./work-state.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000000Z`;
const item = (id: string, more: Partial<WorkItem> = {}): WorkItem => ({
  id,
  projectId: "p",
  title: `Title of ${id}`,
  description: "",
  status: "open",
  priority: 2,
  createdAt: at(0),
  updatedAt: at(0),
  closedAt: null,
  dependencies: [{ dependsOnId: "p-root", type: "parent" }],
  ...more,
});
const root = item("p-root", { dependencies: [] });
const said = (itemId: string, content: string, second: number, source = "user"): Comment => ({
  itemId,
  content,
  source,
  createdAt: at(second),
});
const line = (more: Partial<SodaLine>): SodaLine => ({
  iteration: 1,
  intent: null,
  decision: "CONTINUE",
  reason: null,
  completed: 0,
  blocked: 0,
  counts: null,
  unsatisfied: [],
  regressed: [],
  executor: null,
  verifier: null,
  ...more,
});

test("[S-WORK-1, S-WORK-3] open tasks are listed by urgency, closed ones apart, the root as neither", () => {
  const state = workStateOf([root, item("p-a"), item("p-b", { priority: 0 }), item("p-c", { status: "closed" })], []);
  expect(state.root).toEqual({ id: "p-root", title: "Title of p-root", status: "open" });
  expect(state.open.map(({ id, status, parent }) => [id, status, parent])).toEqual([
    ["p-b", "open", null],
    ["p-a", "open", null],
  ]);
  expect(state.closed).toEqual([{ id: "p-c", title: "Title of p-c" }]);
});

test("[S-WORK-2] blocked tasks say why: what was told of it, or what they wait for", () => {
  const state = workStateOf(
    [
      root,
      item("p-a", { status: "blocked" }),
      item("p-b", { dependencies: [{ dependsOnId: "p-a", type: "blocks" }] }),
      item("p-c", { status: "blocked" }),
    ],
    [said("p-a", "Blocked: no key", 1, "executor"), said("p-a", "I ask around", 2)],
  );
  expect(state.blocked.map(({ id, reason }) => [id, reason])).toEqual([
    ["p-a", "no key"],
    ["p-b", "waits for p-a"],
    ["p-c", "nobody said why"],
  ]);
  expect(state.open.every(({ blocked }) => blocked)).toBe(true);
});

test("[S-WORK-4, S-WORK-5] the last ten comments; without a root that is said", () => {
  const comments = Array.from({ length: 12 }, (_, n) => said("p-root", `comment ${n}`, n));
  expect(workStateOf([root], comments).comments.map(({ content }) => content)).toEqual(
    comments.slice(2).map(({ content }) => content),
  );
  expect(workStateOf([], []).note).toBe("no root work item");
});

test("[L-HUM-2] what others did since the last look is told, what the loop did itself is not", () => {
  const mark = { cursor: at(10), own: [{ id: "p-b", at: at(12) }] };
  const items = [item("p-a", { updatedAt: at(11), status: "closed" }), item("p-b", { updatedAt: at(12) }), item("p-c")];
  const comments = [said("p-a", "old", 9), said("p-c", "use PostgreSQL", 13), said("p-c", "done", 14, "executor")];
  expect(othersChanges(mark, items, comments)).toEqual([
    {
      type: "task_update",
      content: 'changed: "Title of p-a" is closed, priority 2',
      task_id: "p-a",
      timestamp: at(11),
    },
    { type: "comment", content: "use PostgreSQL", task_id: "p-c", timestamp: at(13) },
  ]);
  expect(othersChanges(null, items, comments)).toEqual([]);
});

describe("[L-HUM-2] what an item belongs to and waits for", () => {
  const parent = { dependsOnId: "p-root", type: "parent" } as const;
  const waits = { dependsOnId: "p-a", type: "blocks" } as const;
  const before = [root, item("p-a"), item("p-b", { dependencies: [parent, waits] })];
  const mark = { cursor: at(10), links: linksOfOpen(before), own: [] };
  const told = (now: WorkItem[], own: OwnChange[] = [], byAgents: OwnChange[] = []) =>
    othersChanges({ ...mark, own }, now, [], byAgents).map(({ content }) => content);

  test("is told when a human changed it, though the item's time stays", () => {
    expect(told(before)).toEqual([]);
    expect(told([root, item("p-a"), item("p-b")])).toEqual(['changed: "Title of p-b" is part of p-root']);
    const more = item("p-a", { dependencies: [parent, { dependsOnId: "p-b", type: "related" }] });
    expect(told([root, more, before[2] ?? root])).toEqual([
      'changed: "Title of p-a" is part of p-root, is related to p-b',
    ]);
    expect(told([root, item("p-a")])).toEqual(["p-b is no longer among the milestone's tasks"]);
    expect(told([...before, item("p-old")])).toEqual([
      `now among the milestone's tasks: "Title of p-old" is part of p-root`,
    ]);
  });

  test("is not told of what this loop made, or agents did", () => {
    const made = item("p-new", { createdAt: at(11), updatedAt: at(11), dependencies: [parent, waits] });
    const own = { id: "p-new", at: at(11), links: linksOf(made) };
    expect(told([...before, made], [own])).toEqual([]);
    expect(told([...before, { ...made, dependencies: [parent] }], [own])).toEqual([
      'changed: "Title of p-new" is part of p-root',
    ]);
    const moved = item("p-b", { dependencies: [] });
    expect(told([root, item("p-a"), moved], [], [{ id: "p-b", at: at(0), links: linksOf(moved) }])).toEqual([]);
    expect(told([root, item("p-a")], [], [{ id: "p-b", at: at(12), links: null }])).toEqual([]);
    const created = item("p-own", { createdAt: at(12), updatedAt: at(12) });
    expect(told([...before, created])).toEqual(['new: "Title of p-own" is open, priority 2']);
    expect(told([...before, created], [], [{ id: "p-own", at: at(12) }])).toEqual([]);
  });

  test("is not asked about where an older version looked", () => {
    expect(othersChanges({ cursor: at(10), own: [] }, [root, item("p-b")], [])).toEqual([]);
  });
});

test("[O-7] what comes back without progress is found; a completed task is progress", () => {
  const again = [
    line({ unsatisfied: ["logs in"], regressed: ["adds"], intent: "Add login" }),
    line({ unsatisfied: ["Logs  in"], regressed: ["adds"], intent: "add login" }),
  ];
  expect(findRepeats(again)).toEqual([
    { kind: "criterion", what: "Logs  in", times: 2 },
    { kind: "test", what: "adds", times: 2 },
    { kind: "intent", what: "add login", times: 2 },
  ]);
  expect(findRepeats([...again, line({ completed: 1 }), line({ unsatisfied: ["logs in"] })])).toEqual([]);
  const waited = again.map((one) => ({ ...one, decision: "STUCK" as const }));
  expect(findRepeats([...waited, ...again.slice(0, 1)])).toEqual([]);
});
