import { describe, expect, test } from "bun:test";
import type { DependencyKind, WorkItem } from "@ralpher/contract";
import { countItems, treeRows, withTitles } from "./tree-model.ts";

let made = 0;
const item = (id: string, part: Partial<WorkItem> = {}, ...dependencies: [DependencyKind, string][]): WorkItem => ({
  id,
  projectId: "p",
  title: id,
  description: "",
  status: "open",
  priority: 2,
  createdAt: `2026-01-01T00:00:00.${String(made++).padStart(6, "0")}Z`,
  updatedAt: "2026-01-01T00:00:00.000000Z",
  closedAt: null,
  dependencies: dependencies.map(([type, dependsOnId]) => ({ type, dependsOnId })),
  ...part,
});
const board = (items: WorkItem[], more: Partial<Parameters<typeof treeRows>[0]> = {}) => ({
  items,
  ready: [],
  blocked: [],
  comments: [],
  ...more,
});
const all = { filter: "all", text: "", folded: new Set<string>() } as const;
const lines = (...args: Parameters<typeof treeRows>) =>
  treeRows(...args).map(
    ({ item: { id }, depth, matches }) => `${"  ".repeat(depth)}${id}${matches ? "" : " (for context)"}`,
  );

describe("[W-5] the tree of work items", () => {
  const items = [
    item("done", { status: "closed" }, ["parent", "root"]),
    item("later", { priority: 3 }, ["parent", "root"]),
    item("root"),
    item("urgent", { priority: 0 }, ["parent", "root"]),
    item("part", { description: "Read FILES" }, ["parent", "later"]),
    item("stranger", {}, ["parent", "elsewhere"]),
  ];

  test("open before closed, urgent before the rest, parts under what they belong to", () => {
    expect(lines(board(items), all)).toEqual(["root", "  urgent", "  later", "    part", "  done", "stranger"]);
  });

  test("what does not match is there only above what does", () => {
    const closed = lines(board(items), { ...all, filter: "closed" });
    expect(closed).toEqual(["root (for context)", "  done"]);
    expect(lines(board(items), { ...all, text: "read files" })).toEqual([
      "root (for context)",
      "  later (for context)",
      "    part",
    ]);
  });

  test("what is folded away counts, but is not shown", () => {
    const rows = treeRows(board(items), { ...all, folded: new Set(["later"]) });
    expect(rows.map(({ item: { id } }) => id)).not.toContain("part");
    expect(rows.find(({ item: { id } }) => id === "later")).toMatchObject({ hasChildren: true, folded: true });
  });

  test("lines know what is ready, why others are not, and what was said", () => {
    const said = { itemId: "part", content: "x", source: "user", createdAt: "" };
    const shown = treeRows(
      board(items, { ready: ["urgent"], blocked: [{ id: "part", reason: "no token" }], comments: [said, said] }),
      all,
    );
    const of = (id: string) => shown.find((row) => row.item.id === id);
    expect(of("urgent")).toMatchObject({ ready: true, blocked: null });
    expect(of("part")).toMatchObject({ ready: false, blocked: "no token", comments: 2 });
    expect(countItems(board(items, { ready: ["urgent"], blocked: [{ id: "part", reason: "" }] }))).toEqual({
      all: 6,
      open: 5,
      closed: 1,
      ready: 1,
      blocked: 1,
    });
  });

  test("items in a circle, which an imported file can bring, are each shown once", () => {
    const circle = [item("a", {}, ["parent", "b"]), item("b", {}, ["parent", "a"]), item("c")];
    expect(
      treeRows(board(circle), all)
        .map(({ item: { id } }) => id)
        .toSorted(),
    ).toEqual(["a", "b", "c"]);
  });

  test("a reason names items by their titles", () => {
    const known = new Map([["app-1a2b3c", item("app-1a2b3c", { title: "Read files" })]]);
    expect(withTitles("waits for app-1a2b3c, app-000000", known)).toBe("waits for “Read files”, app-000000");
  });
});
