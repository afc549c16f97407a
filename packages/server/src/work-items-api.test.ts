import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkBoard, WorkItem } from "@ralpher/contract";
import { git } from "@ralpher/loop/lab";
import { tellSoda } from "../test/soda-story.ts";
import { openAll } from "./stage.fixture.ts";

/** A server that knows a loop in a repository with work items, and another repository that no loop works in. */
async function openItems() {
  const all = await openAll();
  await all.call("POST", "/api/loops", all.request);
  await using items = all.lab.hub.openWorkItems(all.repository);
  await items.init();
  const query = (more: Record<string, string> = {}) =>
    `?${new URLSearchParams({ directory: all.repository, ...more })}`;
  const ask = (method: string, path: string, body?: unknown) =>
    all.call(method, `/api/work-items${path}${path.includes("?") ? "" : query()}`, body);
  const make = async (draft: Record<string, unknown>): Promise<WorkItem> => (await ask("POST", "", draft)).body;
  const board = async (more: Record<string, string> = {}): Promise<WorkBoard> => (await ask("GET", query(more))).body;
  return { ...all, query, ask, make, board };
}

test("[W-5] items made here are seen as they are in the storage, with what is ready and what is blocked and why", async () => {
  await using all = await openItems();
  const root = await all.make({ title: "Release", priority: 1 });
  const first = await all.make({ title: "Write the notes", parentId: root.id, description: "All of them." });
  const second = await all.make({ title: "Publish", parentId: root.id, dependsOnId: first.id });
  const third = await all.make({ title: "Announce", status: "blocked" });
  await all.ask("POST", `/${third.id}/comments`, { content: "Blocked: nobody knows where" });

  const { project, items, ready, blocked, comments } = await all.board();
  expect(project.path).toBe(all.repository);
  expect(new Set(items.map(({ id }) => id))).toEqual(new Set([root.id, first.id, second.id, third.id]));
  expect(new Set(ready)).toEqual(new Set([root.id, first.id]));
  expect(blocked).toContainEqual({ id: second.id, reason: `waits for ${first.id}` });
  expect(blocked).toContainEqual({ id: third.id, reason: "nobody knows where" });
  expect(comments).toMatchObject([{ itemId: third.id, source: "user" }]);
  await using own = all.lab.hub.openWorkItems(all.repository);
  expect((await own.require(first.id)).description).toBe("All of them.");
  expect((await all.board({ root: root.id })).items.map(({ id }) => id)).toEqual([root.id, first.id, second.id]);
  expect(all.bugs).toEqual([]);
});

test("an item is changed, closed with a reason, opened again, moved, and made to wait", async () => {
  await using all = await openItems();
  const root = await all.make({ title: "Release" });
  const item = await all.make({ title: "Notes", parentId: root.id });
  const other = await all.make({ title: "Review" });
  expect((await all.ask("PATCH", `/${item.id}`, { title: "All notes", priority: 0 })).body).toMatchObject({
    title: "All notes",
    priority: 0,
  });
  const open = await all.ask("POST", `/${root.id}/close`, {});
  expect([open.status, open.body.error]).toEqual([409, "open_children"]);
  const closed = await all.ask("POST", `/${item.id}/close`, { message: "It is there." });
  expect(closed.body).toMatchObject({ status: "closed" });
  const detail = (await all.ask("GET", `/${item.id}`)).body;
  expect(detail.comments).toMatchObject([{ content: "It is there.", source: "user" }]);
  expect((await all.ask("POST", `/${item.id}/reopen`)).body.status).toBe("open");
  expect((await all.ask("POST", `/${item.id}/reparent`, { parentId: null })).body.dependencies).toEqual([]);
  const waiting = await all.ask("POST", `/${item.id}/dependencies`, { dependsOnId: other.id });
  expect(waiting.body.dependencies).toEqual([{ dependsOnId: other.id, type: "blocks" }]);
  const cycle = await all.ask("POST", `/${other.id}/dependencies`, { dependsOnId: item.id });
  expect([cycle.status, cycle.body.error]).toEqual([409, "dependency_cycle"]);
  expect((await all.ask("DELETE", `/${item.id}/dependencies/${other.id}`)).body.dependencies).toEqual([]);
  expect((await all.ask("POST", `/${root.id}/close`, { force: true })).body.status).toBe("closed");
  expect(all.bugs).toEqual([]);
});

test("[L-HUM-2] the stamp is another one after a change from anywhere, and stays while nothing happens", async () => {
  await using all = await openItems();
  const item = await all.make({ title: "Notes" });
  const stamp = async (): Promise<string> => (await all.ask("GET", `/stamp${all.query()}`)).body.stamp;
  let [before, again] = [await stamp(), await stamp()];
  // A change a moment ago makes it another one each time, for a further one might not show in the files.
  while (before !== again) [before, again] = [again, await stamp()];
  expect((await all.board()).stamp).toBe(before);
  await using items = all.lab.hub.openWorkItems(all.repository);
  await items.comment(item.id, { content: "from a terminal", source: "user" });
  expect(await stamp()).not.toBe(before);
});

test("[R-API-5] only folders of loops known here are looked at, and only items of their own project", async () => {
  await using all = await openItems();
  const elsewhere = join(all.folder, "elsewhere");
  await mkdir(elsewhere);
  await git(elsewhere, "init", "-q", "-b", "main");
  await writeFile(join(elsewhere, "secret.txt"), "secret\n");
  await using others = all.lab.hub.openWorkItems(elsewhere);
  await others.init();
  const secret = await others.create({ title: "A secret", description: "" });
  const there = `?${new URLSearchParams({ directory: elsewhere })}`;
  for (const [method, path, body] of [
    ["GET", there],
    ["GET", `/stamp${there}`],
    ["GET", `/${secret.id}${there}`],
    ["POST", there, { title: "Mine" }],
    ["POST", `/${secret.id}/comments${there}`, { content: "Hello" }],
  ] as const) {
    const { status, body: answer } = await all.ask(method, path, body);
    expect([status, answer.error, answer.message]).toEqual([
      403,
      "forbidden",
      `Refused: no loop known here works in ${elsewhere}.`,
    ]);
  }
  const mine = await all.make({ title: "Mine" });
  for (const [method, path, body] of [
    ["GET", `/${secret.id}`],
    ["PATCH", `/${secret.id}`, { title: "Changed" }],
    ["POST", `/${secret.id}/close`, {}],
    ["POST", `/${mine.id}/dependencies`, { dependsOnId: secret.id }],
    ["POST", `/${mine.id}/reparent`, { parentId: secret.id }],
    ["POST", "", { title: "Under it", parentId: secret.id }],
    ["GET", `${all.query({ root: secret.id })}`],
  ] as const) {
    const { status, body: answer } = await all.ask(method, path, body);
    expect([status, answer.error]).toEqual([404, "work_item_not_found"]);
  }
  expect((await others.require(secret.id)).title).toBe("A secret");
  expect((await all.ask("GET", "?directory=relative")).body.issues[0].path).toBe("directory");
  expect((await all.ask("POST", `/${mine.id}/comments`, { content: "  " })).body.issues[0].path).toBe("content");
});

test("[W-5] a loop's own tree and the folder it works on show the same items", async () => {
  await using all = await openAll({ runs: "adopted" });
  const { root, tree } = await tellSoda(all.lab, all.repository, { iterations: 2 });
  const idsIn = async (directory: string) => {
    const { body } = await all.call("GET", `/api/work-items?${new URLSearchParams({ directory, root })}`);
    return (body as WorkBoard).items.map(({ id }) => id);
  };
  const ids = await idsIn(tree);
  expect(ids.length).toBeGreaterThan(3);
  expect(await idsIn(all.repository)).toEqual(ids);
  expect(await idsIn(`${all.repository}/`)).toEqual(ids);
});

test("a folder without items yet says so when one is to be made", async () => {
  await using all = await openAll();
  await all.call("POST", "/api/loops", all.request);
  const query = `?${new URLSearchParams({ directory: all.repository })}`;
  expect((await all.call("GET", `/api/work-items${query}`)).body).toMatchObject({ items: [], ready: [], blocked: [] });
  const { status, body } = await all.call("POST", `/api/work-items${query}`, { title: "First" });
  expect([status, body.error]).toEqual([409, "project_not_initialized"]);
});
