import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { faultOf, openStage, type Stage } from "../stage.fixture.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const file = "/Specs/auth_feature/tasks.md";
const find = (path = file, id?: string) => stage.vault.findTask(stage.config, path, id);
const move = async (from: string, to: string) => {
  await mkdir(dirname(join(stage.vault.root, to)), { recursive: true });
  await rename(join(stage.vault.root, from), join(stage.vault.root, to));
};

test.each([
  ["/Done/auth_feature/tasks.md", "done"],
  ["/Done/tasks.md", "done"],
  ["/Done/auth_feature.md", "done"],
  ["/Done/auth_feature/tasks-2.md", "done"],
  ["/Done/AUTH_Feature/Tasks.md", "done"],
  ["/Rejected/auth_feature/tasks.md", "rejected"],
  ["/Rejected/tasks.md", "rejected"],
] as const)("a task moved to %s is %s", async (to, place) => {
  await stage.write(file, "- [ ] a\n");
  expect(await find()).toEqual({ place: "open", path: file });
  await move(file, to);
  expect(await find()).toEqual({ place, path: to });
});

test("a folder that is moved takes its task with it, from however deep", async () => {
  await stage.write("/Specs/web/auth_feature/tasks.md", "- [ ] a\n");
  await move("/Specs/web/auth_feature", "/Done/auth_feature");
  expect(await find("/Specs/web/auth_feature/tasks.md")).toEqual({
    place: "done",
    path: "/Done/auth_feature/tasks.md",
  });
});

test("another task of that name is not it", async () => {
  await stage.write("/Done/tasks.md", "---\ntask_id: other\n---\n");
  expect(await find(file, "auth_feature")).toEqual({ place: "gone", path: null });
  await stage.write("/Done/auth_feature/tasks.md", "---\ntask_id: auth_feature\n---\n");
  expect(await find(file, "auth_feature")).toEqual({ place: "done", path: "/Done/auth_feature/tasks.md" });
});

test("what lay among finished tasks already is not the task, until somebody puts another in its place", async () => {
  await stage.write(file, "- [ ] a\n");
  await stage.write("/Done/auth_feature/tasks.md", "- [x] last week\n");
  await stage.write("/Done/tasks.md", "- [x] any\n");
  await stage.write("/Done/tasks-2.md", "- [x] any more\n");
  await stage.write("/Done/tasks-3.md", "---\ntask_id: other\n---\n");
  await stage.write("/Rejected/auth_feature.md", Uint8Array.of(0));
  const except = await stage.vault.namesakes(stage.config, file, "auth_feature");
  const shaOf = async (path: string) => (await stage.vault.readTask(path)).sha;
  expect(except).toEqual([
    { path: "/Done/auth_feature/tasks.md", sha: await shaOf("/Done/auth_feature/tasks.md") },
    { path: "/Done/tasks.md", sha: await shaOf("/Done/tasks.md") },
    { path: "/Done/tasks-2.md", sha: await shaOf("/Done/tasks-2.md") },
    { path: "/Rejected/auth_feature.md", sha: "" },
  ]);
  const place = () => stage.vault.findTask(stage.config, file, "auth_feature", { except });
  expect(await place()).toEqual({ place: "open", path: file });
  await rm(join(stage.vault.root, file));
  expect((await find(file, "auth_feature")).place).toBe("done");
  expect(await place()).toEqual({ place: "gone", path: null });
  await stage.write("/Done/auth_feature/tasks-2.md", "- [ ] a\n");
  expect(await place()).toEqual({ place: "done", path: "/Done/auth_feature/tasks-2.md" });
  await stage.write("/Done/auth_feature/tasks.md", "- [ ] a\n");
  expect(await place()).toEqual({ place: "done", path: "/Done/auth_feature/tasks.md" });
});

test("a task that was taken up from where finished ones lie is no namesake of its own", async () => {
  await stage.write("/Done/a.md", "- [ ] a\n");
  await stage.write("/Rejected/a.md", "- [ ] a\n");
  const found = await stage.vault.namesakes(stage.config, "/Done/a.md");
  expect(found.map(({ path }) => path)).toEqual(["/Rejected/a.md"]);
});

test("a task that still lies where it was is open, whatever lies elsewhere", async () => {
  await stage.write(file, "- [ ] a\n");
  await stage.write("/Done/auth_feature/tasks.md", "");
  expect((await find()).place).toBe("open");
});

test("names with blanks and accents are found however the accents are encoded", async () => {
  const composed = "/Specs/Café crème/Übung 1.md".normalize("NFC");
  const decomposed = "/Done/Café crème/Übung 1.md".normalize("NFD");
  await stage.write(decomposed, "- [ ] a\n");
  expect(await find(composed)).toEqual({ place: "done", path: decomposed });
  const typed = await stage.vault.resolveTask("Done/Café crème/Übung 1.md".normalize("NFC"), stage.vault.root);
  expect(typed).toBe(decomposed);
});

test("a task that lies nowhere is gone, and one that leads out of the vault", async () => {
  expect(await find()).toEqual({ place: "gone", path: null });
  await symlink("/", join(stage.vault.root, "Done/auth_feature"));
  expect(await find()).toEqual({ place: "gone", path: null });
});

test("a moved task keeps its path below the folder, and its folder goes when it is empty", async () => {
  await stage.write("/Specs/web/auth/tasks.md", "- [x] a\n");
  await stage.write("/Specs/web/notes.md", "");
  const to = await stage.vault.moveTask(stage.config, "/Specs/web/auth/tasks.md", "done");
  expect(to).toBe("/Done/web/auth/tasks.md");
  expect(await stage.read(to)).toBe("- [x] a\n");
  expect(await readdir(join(stage.vault.root, "Specs/web"))).toEqual(["notes.md"]);
  expect(await find("/Specs/web/auth/tasks.md")).toEqual({ place: "done", path: to });
  expect(await stage.vault.moveTask(stage.config, to, "done")).toBe(to);
  expect(await stage.vault.moveTask(stage.config, to, "rejected")).toBe("/Rejected/web/auth/tasks.md");
});

test("a task is never moved over another, and is found under its new name", async () => {
  await stage.write("/Done/a.md", "before\n");
  await stage.write("/Done/a-2.md", "before\n");
  await stage.write("/Specs/a.md", "now\n");
  expect(await stage.vault.moveTask(stage.config, "/Specs/a.md", "done")).toBe("/Done/a-3.md");
  expect(await stage.read("/Done/a.md")).toBe("before\n");
  expect(await stage.read("/Done/a-3.md")).toBe("now\n");
  await rm(join(stage.vault.root, "Done/a.md"));
  expect(await find("/Specs/a.md")).toEqual({ place: "done", path: "/Done/a-3.md" });
  await faultOf("task_file_unusable", stage.vault.moveTask(stage.config, "/Specs/none.md", "done"));
  expect(await readdir(join(stage.vault.root, "Done"))).not.toContain("none.md");
});

test("a task from elsewhere in the vault is moved by its name", async () => {
  await stage.write("/Inbox/deep/call.md", "");
  expect(await stage.vault.moveTask(stage.config, "/Inbox/deep/call.md", "rejected")).toBe("/Rejected/call.md");
  expect(await find("/Inbox/deep/call.md")).toEqual({ place: "rejected", path: "/Rejected/call.md" });
});

test("a task is named from the root, from the current folder, or in full", async () => {
  await stage.write(file, "");
  const { root } = stage.vault;
  for (const [text, from] of [
    [file, "/"],
    ["Specs/auth_feature/tasks.md", root],
    ["Specs/auth_feature/tasks.md", "/"],
    ["tasks.md", join(root, "Specs/auth_feature")],
    ["../auth_feature/tasks.md", join(root, "Specs/auth_feature")],
    [join(root, file), "/"],
  ] as const) {
    expect(await stage.vault.resolveTask(text, from)).toBe(file);
  }
  await symlink(root, join(stage.folder, "link"));
  expect(await stage.vault.resolveTask(join(stage.folder, "link", file), "/")).toBe(file);
  const why = async (text: string) => (await faultOf("task_file_unusable", stage.vault.resolveTask(text, root))).detail;
  expect(await why("Specs/none.md")).toBe("there is no such file in the vault");
  expect(await why("Specs/auth_feature")).toBe("it is a folder");
  expect(await why("/etc/passwd")).toStartWith("it is not in the vault");
  expect(await why("../../..")).toStartWith("it is not in the vault");
  expect(await why(" ")).toBe("it is no path");
});

test("tasks are listed by folder, newest first; a folder with a tasks.md is one task", async () => {
  for (const path of [
    "/Specs/one.md",
    "/Specs/auth/tasks.md",
    "/Specs/auth/spec.md",
    "/Specs/auth/more/notes.md",
    "/Specs/loose/a.md",
    "/Specs/.hidden.md",
    "/Specs/picture.png",
    "/Done/old/tasks.md",
    "/Done/old/spec.md",
    "/Needs_Action/ask.md",
  ]) {
    await stage.write(path, "x");
  }
  await symlink("/etc/hosts", join(stage.vault.root, "Specs/out.md"));
  const list = await stage.vault.list(stage.config);
  const paths = (entries: { path: string }[]) => entries.map(({ path }) => path).sort();
  expect(paths(list.open)).toEqual(["/Specs/auth/tasks.md", "/Specs/loose/a.md", "/Specs/one.md"]);
  expect(paths(list.done)).toEqual(["/Done/old/spec.md", "/Done/old/tasks.md"]);
  expect(list.rejected).toEqual([]);
  expect(paths(list.needsAction)).toEqual(["/Needs_Action/ask.md"]);
  const times = list.open.map(({ modifiedAt }) => modifiedAt);
  expect(times).toEqual(times.toSorted().toReversed());
});

test("a done folder below the specs folder holds no open tasks", async () => {
  const config = await stage.configure("done_folder: /Specs/Done\nneeds_action_folder: Specs/Asked");
  await stage.write("/Specs/Done/a.md", "");
  await stage.write("/Specs/Asked/b.md", "");
  await stage.write("/Specs/c.md", "");
  const { open, done } = await stage.vault.list(config);
  expect(open.map(({ path }) => path)).toEqual(["/Specs/c.md"]);
  expect(done.map(({ path }) => path)).toEqual(["/Specs/Done/a.md"]);
  expect(await stage.vault.moveTask(config, "/Specs/c.md", "done")).toBe("/Specs/Done/c.md");
  expect((await stage.vault.findTask(config, "/Specs/c.md")).place).toBe("done");
});
