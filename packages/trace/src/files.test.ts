import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createStage } from "./stage.fixture.ts";

const line = (id: string, more: Record<string, unknown> = {}) =>
  `${JSON.stringify({
    id,
    title: "From the file",
    status: "open",
    priority: 1,
    created_at: "2026-01-01T00:00:00.000000Z",
    updated_at: "2026-01-01T00:00:00.000000Z",
    ...more,
  })}\n`;

test("[W-4] a newer file is taken in before anything else", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  stage.writeJsonl(
    line("app-aaaaaa", { dependencies: [{ depends_on_id: "app-bbbbbb", type: "parent" }] }) +
      line("app-bbbbbb", { comments: [{ content: "c", source: "s", created_at: "2026-01-02T00:00:00Z" }] }),
  );
  expect((await items.list()).map(({ id }) => id).sort()).toEqual(["app-aaaaaa", "app-bbbbbb"]);
  expect(await items.require("app-bbbbbb")).toMatchObject({
    comments: [{ content: "c", source: "s" }],
    children: [{ id: "app-aaaaaa" }],
  });
  stage.writeJsonl(line("app-aaaaaa", { title: "Changed", dependencies: [] }) + line("app-bbbbbb"));
  expect(await items.update("app-bbbbbb", { priority: 0 })).toMatchObject({ priority: 0 });
  expect(await items.require("app-aaaaaa")).toMatchObject({ title: "Changed", dependencies: [] });
  expect((await items.require("app-bbbbbb")).comments).toHaveLength(1);
});

test("[W-4] an item that only the newer file knows can be named at once", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  stage.writeJsonl(line("app-aaaaaa"));
  expect(await items.update("app-aaaaaa", { status: "in_progress" })).toMatchObject({ status: "in_progress" });
});

test("[W-4] malformed lines are reported, and kept byte for byte when the file is written", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const broken = ['{"id": "app-brokn1", "title": ', "<<<<<<< HEAD", line("app-oddodd", { status: "odd" }).trim()];
  const kept = Buffer.concat([Buffer.from(`${broken.join("\n")}\n`), Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])]);
  stage.writeJsonl(Buffer.concat([Buffer.from(line("app-aaaaaa")), kept]));
  await items.sync();
  expect(stage.problems.map(({ line: at }) => at)).toEqual([2, 3, 4, 5]);
  expect(stage.jsonl().trim().split("\n")).toHaveLength(1);
  expect(readFileSync(join(stage.app, ".trace/rejected.jsonl")).equals(kept)).toBe(true);
});

test("[W-4] lines that another Trace has passed over already are kept as well", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const item = await items.create({ title: "Mine", description: "" });
  const file = join(stage.app, ".trace/issues.jsonl");
  appendFileSync(file, `not json\n${line("elsewhere-aaaaaa")}`);
  // Not newer than what is noted: as if the original had read the file and noted that.
  const before = Date.now() / 1000 - 60;
  utimesSync(file, before, before);
  await items.comment(item.id, { content: "write it" });
  await items.comment(item.id, { content: "and again" });
  const kept = readFileSync(join(stage.app, ".trace/rejected.jsonl"), "utf8");
  expect(kept).toBe(`not json\n${line("elsewhere-aaaaaa")}`);
});

test("[W-4] a dependency on an item that is not known here is reported and its line kept", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const odd = line("app-aaaaaa", { dependencies: [{ depends_on_id: "lib-000000", type: "blocks" }] });
  stage.writeJsonl(odd);
  expect((await items.sync()).problems).toMatchObject([{ line: 1, why: expect.stringContaining("lib-000000") }]);
  expect(readFileSync(join(stage.app, ".trace/rejected.jsonl"), "utf8")).toBe(odd);
});

test("[W-4] writers in processes of their own, all at once, lose nothing", async () => {
  using stage = createStage();
  await stage.items().init();
  const script = join(stage.folder, "writer.ts");
  const own = JSON.stringify(join(import.meta.dir, "index.ts"));
  await Bun.write(
    script,
    `import { openWorkItems } from ${own};
     const [, , directory, home, name] = process.argv;
     await using items = openWorkItems({ directory, home });
     for (let n = 0; n < 8; n++) {
       const item = await items.create({ title: name + n, description: "" });
       await items.comment(item.id, { content: name + n });
     }`,
  );
  const writers = ["a", "b", "c", "d"].map((name) =>
    Bun.spawn([process.execPath, script, stage.app, stage.home, name], { stderr: "inherit" }),
  );
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
  const wanted = ["a", "b", "c", "d"].flatMap((name) => Array.from({ length: 8 }, (_, n) => name + n)).sort();
  const lines = stage
    .jsonl()
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(lines.map(({ title }) => title).sort()).toEqual(wanted);
  expect(lines.map(({ comments }) => comments[0]?.content).sort()).toEqual(wanted);
  expect((await stage.items().list()).map(({ title }) => title).sort()).toEqual(wanted);
  expect(readdirSync(join(stage.app, ".trace"))).toEqual(["issues.jsonl"]);
});

test("[W-4] a fresh machine has everything from the file", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const parent = await items.create({ title: "Parent", description: "d" });
  const child = await items.create({ title: "Child", description: "", parentId: parent.id });
  await items.comment(child.id, { content: "said" });
  const elsewhere = stage.items(stage.app, join(stage.folder, "other-home"));
  expect(await elsewhere.tree(parent.id)).toMatchObject({ children: [{ item: { id: child.id } }] });
  await elsewhere.update(child.id, { status: "in_progress" });
  expect((await items.require(child.id)).status).toBe("in_progress");
  expect(existsSync(join(stage.app, ".trace/rejected.jsonl"))).toBe(false);
});

test("[W-4] of two lines for one item, as a merge may leave, the later counts, with what was said in both", async () => {
  using stage = createStage();
  const items = stage.items();
  await items.init();
  const said = (content: string) => ({ content, source: "user", created_at: `2026-01-0${content}T00:00:00.000000Z` });
  const later = { title: "Later", updated_at: "2026-02-01T00:00:00.000000Z" };
  stage.writeJsonl(
    line("app-aaaaaa", { ...later, comments: [said("1"), said("2")] }) +
      line("app-aaaaaa", { title: "Earlier", comments: [said("1"), said("3")] }),
  );
  expect(await items.require("app-aaaaaa")).toMatchObject({
    title: "Later",
    comments: [{ content: "1" }, { content: "2" }, { content: "3" }],
  });
  expect((await items.sync()).problems).toEqual([]);
  expect(existsSync(join(stage.app, ".trace/rejected.jsonl"))).toBe(false);
});
