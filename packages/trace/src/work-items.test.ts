import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@ralpher/contract";
import { createStage } from "./stage.fixture.ts";

/** The code of the fault that this rejects with. */
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error) => (isFault(error) ? error.code : `no fault: ${error}`),
  );

test("[W-1] the database has Trace's tables, indexes and schema version", async () => {
  using stage = createStage();
  await stage.items().init();
  using db = new Database(join(stage.home, "trace.db"));
  const names = db.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").all();
  expect(names.map(({ name }) => name).sort()).toEqual(
    [
      ...["comments", "dependencies", "issues", "metadata", "projects"],
      ...["idx_comments_issue", "idx_deps_depends", "idx_deps_issue"],
      ...["idx_issues_priority", "idx_issues_project", "idx_issues_status"],
    ].sort(),
  );
  expect(db.query("SELECT value FROM metadata WHERE key = 'schema_version'").get()).toEqual({ value: "3" });
  expect(db.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "delete" });
  expect(() => db.run("INSERT INTO issues VALUES ('a-1', 'p', 't', '', 'odd', 2, '', '', NULL)")).toThrow();
  expect(() => db.run("INSERT INTO issues VALUES ('a-1', 'p', 't', '', 'open', 5, '', '', NULL)")).toThrow();
});

test("[W-1] databases of older Traces are brought up to version 3 with all that is in them", async () => {
  using stage = createStage();
  await stage.items().init();
  const item = await stage.items().create({ title: "Kept", description: "" });
  {
    using db = new Database(join(stage.home, "trace.db"));
    db.run("DROP TABLE comments");
    db.run("DROP TABLE projects");
    db.run("CREATE TABLE projects (name TEXT PRIMARY KEY, path TEXT UNIQUE, git_remote TEXT)");
    db.run("INSERT INTO projects VALUES ('app', ?, NULL)", [stage.app]);
    db.run("UPDATE metadata SET value = '1' WHERE key = 'schema_version'");
  }
  const again = stage.items();
  await again.comment(item.id, { content: "there is a place for this now" });
  expect(await again.require(item.id)).toMatchObject({ title: "Kept", comments: [{ source: "user" }] });
  expect(await again.project({ project: "app" })).toEqual({ id: stage.app, name: "app", path: stage.app });
});

test("[W-1] a database of a newer Trace is left alone", async () => {
  using stage = createStage();
  await stage.items().init();
  {
    using db = new Database(join(stage.home, "trace.db"));
    db.run("UPDATE metadata SET value = '4' WHERE key = 'schema_version'");
  }
  expect(await faultOf(stage.items().list())).toBe("trace_too_new");
});

test("[W-1] the file is written as the original writes it", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const parent = await items.create({ title: 'Grüße 😀 "quoted" \\ \u007f', description: "line\nline\ttab" });
  const child = await items.create({ title: "Child", description: "", priority: 0, parentId: parent.id });
  const said = await items.comment(child.id, { content: "hello", source: "executor" });
  const lines = stage.jsonl().split("\n");
  expect(lines.pop()).toBe("");
  expect(lines).toEqual(
    [
      `{"id": "${parent.id}", "title": "Gr\\u00fc\\u00dfe \\ud83d\\ude00 \\"quoted\\" \\\\ \\u007f", "description": "line\\nline\\ttab", "status": "open", "priority": 2, "created_at": "${parent.createdAt}", "updated_at": "${parent.updatedAt}", "closed_at": null, "dependencies": [], "comments": []}`,
      `{"id": "${child.id}", "title": "Child", "description": "", "status": "open", "priority": 0, "created_at": "${child.createdAt}", "updated_at": "${child.updatedAt}", "closed_at": null, "dependencies": [{"depends_on_id": "${parent.id}", "type": "parent"}], "comments": [{"content": "hello", "source": "executor", "created_at": "${said.createdAt}"}]}`,
    ].sort(),
  );
  using db = new Database(join(stage.home, "trace.db"));
  const noted = db.query<{ value: string }, [string]>("SELECT value FROM metadata WHERE key = ?");
  const mtime = statSync(join(stage.app, ".trace/issues.jsonl")).mtimeMs / 1000;
  expect(Number(noted.get(`last_sync:${stage.app}`)?.value)).toBeCloseTo(mtime, 3);
});

test("[W-2] ids, times and defaults are Trace's", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const item = await items.create({ title: "One", description: "d" });
  expect(item.id).toMatch(/^app-[0-9a-z]{6}$/);
  expect(item).toMatchObject({ status: "open", priority: 2, closedAt: null, projectId: stage.app });
  expect(item.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(item.updatedAt).toBe(item.createdAt);
});

test("[W-2] statuses and priorities that Trace does not have are refused and change nothing", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const before = stage.jsonl();
  expect(await faultOf(items.create({ title: "x", description: "", priority: 5 }))).toBe("invalid_input");
  expect(await faultOf(items.create({ title: "x", description: "", status: "done" as "open" }))).toBe("invalid_input");
  expect(await faultOf(items.create({ title: "x", description: "", parentId: "app-000000" }))).toBe(
    "work_item_not_found",
  );
  expect(await items.list({ statuses: null })).toEqual([]);
  expect(stage.jsonl()).toBe(before);
});

test("[W-2] ready leaves out what waits for something open, and comes back when that is closed", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const first = await items.create({ title: "First", description: "" });
  const then = await items.create({ title: "Then", description: "", dependsOnId: first.id, priority: 0 });
  expect((await items.ready({ statuses: ["open"] })).map(({ id }) => id)).toEqual([first.id]);
  await items.close([first.id]);
  expect((await items.ready({ statuses: ["open"] })).map(({ id }) => id)).toEqual([then.id]);
  await items.reopen(first.id);
  expect(await items.require(first.id)).toMatchObject({ status: "open", closedAt: null });
});

test("[W-3] a parent with open children is closed by force only; of several ids the others are closed", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const parent = await items.create({ title: "Parent", description: "" });
  const child = await items.create({ title: "Child", description: "", parentId: parent.id });
  const other = await items.create({ title: "Other", description: "" });
  const { closed, refused } = await items.close([parent.id, other.id, "app-nobody"], { message: "done" });
  expect(closed.map(({ id }) => id)).toEqual([other.id]);
  expect(refused.map(({ id, fault }) => [id, fault.code])).toEqual([
    [parent.id, "open_children"],
    ["app-nobody", "work_item_not_found"],
  ]);
  expect((await items.require(other.id)).comments).toMatchObject([{ content: "done", source: "user" }]);
  expect((await items.close([parent.id], { force: true })).refused).toEqual([]);
  expect((await items.require(child.id)).status).toBe("open");
});

test("[W-3] cycles are refused and nothing changes", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const [a, b, c] = [
    await items.create({ title: "a", description: "" }),
    await items.create({ title: "b", description: "" }),
    await items.create({ title: "c", description: "" }),
  ];
  await items.addDependency(a.id, b.id, "blocks");
  await items.addDependency(b.id, c.id, "blocks");
  expect(await faultOf(items.addDependency(c.id, a.id, "blocks"))).toBe("dependency_cycle");
  expect(await faultOf(items.addDependency(a.id, a.id, "related"))).toBe("dependency_cycle");
  await items.reparent(c.id, a.id);
  const before = stage.jsonl();
  expect(await faultOf(items.reparent(a.id, c.id))).toBe("dependency_cycle");
  expect(await faultOf(items.reparent(c.id, "app-nobody"))).toBe("work_item_not_found");
  expect(stage.jsonl()).toBe(before);
  await items.removeDependency(a.id, b.id);
  expect((await items.addDependency(c.id, b.id, "related")).dependencies).toHaveLength(2);
});

test("[W-3] two items have one dependency; another type is refused, the same is no change", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const a = await items.create({ title: "a", description: "" });
  const b = await items.create({ title: "b", description: "", dependsOnId: a.id });
  expect((await items.addDependency(b.id, a.id, "blocks")).dependencies).toEqual([
    { dependsOnId: a.id, type: "blocks" },
  ]);
  expect(await faultOf(items.addDependency(b.id, a.id, "parent"))).toBe("dependency_exists");
});

test("[W-3] a moved item takes its comments, its dependencies and its dependants with it", async () => {
  using stage = createStage();
  const lib = stage.makeRepository("lib");
  await stage.items(lib).init();
  const items = stage.items();
  await items.init();
  const base = await items.create({ title: "Base", description: "" });
  const item = await items.create({ title: "Goes", description: "", dependsOnId: base.id });
  const waits = await items.create({ title: "Waits", description: "", dependsOnId: item.id });
  await items.comment(item.id, { content: "take me along" });
  const { item: moved } = await items.move(item.id, "lib");
  expect(moved.id).toMatch(/^lib-/);
  expect(await items.require(moved.id)).toMatchObject({
    projectId: lib,
    comments: [{ content: "take me along" }],
    dependencies: [{ dependsOnId: base.id }],
  });
  expect((await items.require(waits.id)).dependencies).toEqual([{ dependsOnId: moved.id, type: "blocks" }]);
  expect(stage.jsonl()).not.toContain(`"id": "${item.id}"`);
  expect(stage.jsonl()).toContain(moved.id);
  expect(stage.jsonl(lib)).toContain(moved.id);
  expect(existsSync(join(stage.app, ".trace/rejected.jsonl"))).toBe(false);
});

test("[W-3] repair files items under the project that their ids say", async () => {
  using stage = createStage();
  const lib = stage.makeRepository("lib");
  await stage.items(lib).init();
  const items = stage.items();
  await items.init();
  const item = await items.create({ title: "Astray", description: "" });
  {
    using db = new Database(join(stage.home, "trace.db"));
    db.run("UPDATE issues SET project_id = ? WHERE id = ?", [lib, item.id]);
  }
  expect(await items.repair({ dryRun: true })).toMatchObject({ examined: 1, contaminated: 1, repaired: 1 });
  expect((await items.require(item.id)).projectId).toBe(lib);
  expect(await items.repair()).toMatchObject({ contaminated: 1, repaired: 1, orphaned: 0 });
  expect((await items.require(item.id)).projectId).toBe(stage.app);
  expect(readFileSync(join(stage.app, ".trace/issues.jsonl"), "utf8")).toContain(item.id);
  expect(await items.repair()).toMatchObject({ contaminated: 0 });
});

test("[W-3] folders without a repository and repositories without items say so", async () => {
  using stage = createStage();
  expect(await faultOf(stage.items(stage.folder).list())).toBe("not_a_repository");
  expect(await faultOf(stage.items().create({ title: "x", description: "" }))).toBe("project_not_initialized");
  expect(await faultOf(stage.items().list({ project: "nobody" }))).toBe("project_unknown");
  expect(await faultOf(stage.items().require("app-000000"))).toBe("work_item_not_found");
});
