import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createStage } from "./stage.fixture.ts";

/** A checkout whose items are committed, and a worktree of it. */
async function createBoth() {
  const stage = createStage();
  const human = stage.items();
  await human.init();
  const item = await human.create({ title: "Work", description: "" });
  stage.git(["add", "-A"]);
  stage.git(["commit", "-q", "-m", "items"]);
  stage.git(["worktree", "add", "-q", "-b", "loop", "../tree"]);
  const tree = join(stage.folder, "tree");
  return { stage, human, item, tree, agent: stage.items(tree), [Symbol.dispose]: () => stage[Symbol.dispose]() };
}

test("[W-5] what an agent does in a worktree a human in the checkout sees at once, and the other way round", async () => {
  using both = await createBoth();
  const { human, agent, item } = both;
  const made = await agent.create({ title: "Part", description: "", parentId: item.id });
  expect(made.id).toMatch(/^app-/);
  expect((await human.tree(item.id)).children.map((child) => child.item.id)).toEqual([made.id]);
  await human.comment(made.id, { content: "not like this" });
  expect((await agent.require(made.id)).comments).toMatchObject([{ content: "not like this" }]);
  expect((await agent.comments()).map(({ content }) => content)).toEqual(["not like this"]);
});

test("[W-5] an agent's changes are in the worktree's file and leave the checkout clean; the commit carries them", async () => {
  using both = await createBoth();
  const { stage, human, agent, item, tree } = both;
  await agent.update(item.id, { status: "in_progress" });
  expect(stage.git(["status", "--porcelain"])).toBe("");
  expect(stage.jsonl(tree)).toContain('"in_progress"');
  await human.list();
  expect(stage.git(["status", "--porcelain"])).toBe("");

  stage.git(["commit", "-q", "-a", "-m", "progress"], tree);
  stage.git(["merge", "-q", "--ff-only", "loop"]);
  expect(stage.jsonl()).toBe(stage.jsonl(tree));
  expect(await human.require(item.id)).toMatchObject({ status: "in_progress" });
});

test("[W-5] a fresh worktree's older file does not turn back what is newer", async () => {
  using both = await createBoth();
  const { stage, human, item } = both;
  await human.update(item.id, { title: "Better words", status: "in_progress" });
  await human.comment(item.id, { content: "kept" });
  const parent = await human.create({ title: "Parent", description: "" });
  await human.reparent(item.id, parent.id);
  stage.git(["worktree", "add", "-q", "-b", "other", "../later"]);
  const agent = stage.items(join(stage.folder, "later"));
  expect(await agent.require(item.id)).toMatchObject({
    title: "Better words",
    status: "in_progress",
    comments: [{ content: "kept" }],
    dependencies: [{ dependsOnId: parent.id }],
  });
  await agent.comment(item.id, { content: "on it" });
  expect(stage.jsonl(join(stage.folder, "later"))).toContain("Better words");
});

test("[W-5] a file pulled into the checkout does not turn back what a loop did meanwhile", async () => {
  using both = await createBoth();
  const { stage, human, item, tree } = both;
  const before = stage.jsonl();
  const agent = stage.items(tree, stage.home, () => Date.now() + 60_000);
  await agent.close([item.id], { message: "done" });
  const other = JSON.stringify({
    id: "app-pulled",
    title: "Pulled",
    created_at: "2026-01-01T00:00:00.000000Z",
    updated_at: "2026-01-01T00:00:00.000000Z",
  });
  stage.writeJsonl(`${before}${other}\n`);
  expect(await human.require(item.id)).toMatchObject({ status: "closed", comments: [{ content: "done" }] });
  expect(await agent.require("app-pulled")).toMatchObject({ title: "Pulled" });
});

test("[W-5] a worktree whose branch has no items file works on the database alone", async () => {
  using stage = createStage();
  stage.git(["commit", "-q", "--allow-empty", "-m", "first"]);
  const human = stage.items();
  await human.init();
  stage.git(["worktree", "add", "-q", "-b", "loop", "../tree"]);
  const tree = join(stage.folder, "tree");
  const made = await stage.items(tree).create({ title: "From the tree", description: "" });
  expect(existsSync(join(tree, ".trace"))).toBe(false);
  expect(await human.list()).toMatchObject([{ id: made.id }]);
  await human.sync();
  expect(stage.jsonl()).toContain(made.id);
});

test("[W-5] items begun in a worktree are the repository's", async () => {
  using stage = createStage();
  stage.git(["commit", "-q", "--allow-empty", "-m", "first"]);
  stage.git(["worktree", "add", "-q", "-b", "loop", "../tree"]);
  const tree = join(stage.folder, "tree");
  const { project, path } = await stage.items(tree).init();
  expect(project).toEqual({ id: stage.app, name: "app", path: stage.app });
  expect(path).toBe(join(tree, ".trace/issues.jsonl"));
  const made = await stage.items(tree).create({ title: "Root", description: "" });
  expect(stage.jsonl(tree)).toContain(made.id);
  expect(await stage.items().list()).toMatchObject([{ id: made.id }]);
  expect(stage.git(["status", "--porcelain"])).toBe("");
});

test("[W-5] items begun in a worktree can be changed from the checkout, which gets no file", async () => {
  using stage = createStage();
  stage.git(["commit", "-q", "--allow-empty", "-m", "first"]);
  stage.git(["worktree", "add", "-q", "-b", "loop", "../tree"]);
  const tree = join(stage.folder, "tree");
  await stage.items(tree).init();
  const root = await stage.items(tree).create({ title: "Root", description: "" });
  const human = stage.items();
  await human.comment(root.id, { content: "like this" });
  await human.update(root.id, { status: "in_progress" });
  const made = await human.create({ title: "Of a human", description: "", parentId: root.id });
  await human.close([made.id]);
  expect(await human.sync()).toMatchObject({ path: null });
  expect(existsSync(join(stage.app, ".trace"))).toBe(false);
  expect(stage.git(["status", "--porcelain"])).toBe("");
  expect(await stage.items(tree).snapshot(root.id)).toMatchObject({
    items: [{ status: "in_progress" }, { id: made.id, status: "closed" }],
    comments: [{ content: "like this" }],
  });

  // Also after the project got a remote, which makes its id another.
  stage.git(["remote", "add", "origin", "https://github.com/acme/app.git"]);
  await human.comment(root.id, { content: "still here" });
  expect(await human.create({ title: "Later", description: "" })).toMatchObject({ projectId: "github.com/acme/app" });
});
