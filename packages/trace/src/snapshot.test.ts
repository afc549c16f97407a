import { expect, test } from "bun:test";
import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changeStamp } from "./change-stamp.ts";
import { createStage } from "./stage.fixture.ts";

test("[S-WORK-1] a snapshot has the root's whole subtree, the root first, and nothing else", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const root = await items.create({ title: "Milestone", description: "", priority: 4 });
  const late = await items.create({ title: "Late", description: "", parentId: root.id });
  const first = await items.create({ title: "First", description: "", priority: 0, parentId: late.id });
  const last = await items.create({ title: "Last", description: "", parentId: root.id, dependsOnId: first.id });
  await items.create({ title: "Elsewhere", description: "" });
  await items.close([first.id]);
  const found = await items.snapshot(root.id);
  expect(found.items.map(({ title, status }) => [title, status])).toEqual([
    ["Milestone", "open"],
    ["First", "closed"],
    ["Late", "open"],
    ["Last", "open"],
  ]);
  expect(found.items[3]).toEqual(await items.require(last.id).then(({ comments, children, titles, ...item }) => item));
});

test("[S-WORK-4] a snapshot has the newest 200 comments of the subtree, oldest first", async () => {
  using stage = createStage();
  const time = (at: number) => `2026-01-01T00:00:00.${String(at).padStart(6, "0")}Z`;
  const line = (id: string, parents: string[], said: number[]) =>
    JSON.stringify({
      id,
      title: id,
      created_at: time(0),
      updated_at: time(0),
      dependencies: parents.map((parent) => ({ depends_on_id: parent, type: "parent" })),
      comments: said.map((at) => ({ content: `${at}`, source: "user", created_at: time(at) })),
    });
  const all = Array.from({ length: 205 }, (_, at) => at);
  const lines = [
    line(
      "app-root00",
      [],
      all.filter((at) => at % 2 === 1),
    ),
    line(
      "app-task00",
      ["app-root00"],
      all.filter((at) => at % 2 === 0),
    ),
    line("app-other0", [], [300]),
  ];
  stage.writeJsonl(`${lines.join("\n")}\n`);
  const { comments, cursor } = await stage.items().snapshot("app-root00");
  expect(comments.map(({ content }) => content)).toEqual(all.slice(5).map(String));
  expect(cursor).toBe(time(300));
});

test("the cursor is the latest time of any change or comment in the project", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const root = await items.create({ title: "Milestone", description: "" });
  const other = await items.create({ title: "Elsewhere", description: "" });
  expect((await items.snapshot(root.id)).cursor).toBe(other.updatedAt);
  const said = await items.comment(root.id, { content: "hello" });
  expect((await items.snapshot(root.id)).cursor).toBe(said.createdAt);
  const { updatedAt } = await items.update(other.id, { title: "Elsewhere!" });
  expect((await items.snapshot(root.id)).cursor).toBe(updatedAt);
});

test("a cycle of parents, which a file can bring, ends where it closes", async () => {
  using stage = createStage();
  const line = (id: string, parent: string) =>
    JSON.stringify({
      id,
      title: id,
      created_at: "2026-01-01",
      updated_at: "2026-01-01",
      dependencies: [{ depends_on_id: parent, type: "parent" }],
    });
  stage.writeJsonl(`${line("app-00000a", "app-00000b")}\n${line("app-00000b", "app-00000a")}\n`);
  const { items } = await stage.items().snapshot("app-00000a");
  expect(items.map(({ id }) => id)).toEqual(["app-00000a", "app-00000b"]);
});

test("an unknown root is a clear fault, and what is in a newer file is taken in first", async () => {
  using stage = createStage();
  await stage.items().init();
  await expect(stage.items().snapshot("app-000000")).rejects.toMatchObject({ code: "work_item_not_found" });
  stage.writeJsonl(
    `${JSON.stringify({ id: "app-pulled", title: "Pulled", created_at: "2026-01-01", updated_at: "2026-01-01" })}\n`,
  );
  expect((await stage.items().snapshot("app-pulled")).items).toMatchObject([{ title: "Pulled" }]);
});

test("the stamp changes with every change, by whatever process or program, and not by looking", async () => {
  using stage = createStage();
  const watcher = stage.items();
  const stamps = [watcher.stamp()];
  const note = () => stamps.push(watcher.stamp());
  const human = stage.items();
  await human.init();
  note();
  const item = await human.create({ title: "Task", description: "" });
  note();
  await human.comment(item.id, { content: "one" });
  note();
  await human.comment(item.id, { content: "two" });
  note();
  stage.writeJsonl(stage.jsonl());
  note();
  unlinkSync(join(stage.app, ".trace/issues.jsonl"));
  note();
  expect(new Set(stamps).size).toBe(stamps.length);
});

test("a stamp stays once the files are old enough that every change would show", () => {
  using stage = createStage();
  const path = join(stage.folder, "file");
  writeFileSync(path, "");
  const later = Date.now() + 1_000;
  expect(changeStamp([path, "/nowhere"])).not.toBe(changeStamp([path, "/nowhere"]));
  expect(changeStamp([path, "/nowhere"], later)).toBe(changeStamp([path, "/nowhere"], later));
});
