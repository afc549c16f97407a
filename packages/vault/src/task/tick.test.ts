import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, link, open, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFault } from "@ralpher/contract";
import fc from "fast-check";
import { faultOf, openStage, type Stage } from "../stage.fixture.ts";
import { markdown } from "./markdown.fixture.ts";
import { parseTask } from "./parse-task.ts";
import { tick } from "./tick.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const path = "/Specs/a.md";

/** Front matter that is no YAML is a fault of its own. */
function parsed(text: string) {
  try {
    return parseTask(path, text);
  } catch (error) {
    if (isFault(error, "task_file_unusable")) return null;
    throw error;
  }
}

/** A step that belongs to no other, and is the only one of its words. */
const only = (key: string) => ({ key, path: [], twins: 1 });

test("in any Markdown a tick changes one byte for the step and one for each step that is done with it, and nothing else", () => {
  fc.assert(
    fc.property(markdown, fc.nat(), (text, nth) => {
      const boxes = parsed(text)?.boxes ?? [];
      const step = boxes[nth % Math.max(1, boxes.length)];
      if (step === undefined || step.isParent) return;
      const before = Buffer.from(text);
      const { next, value } = tick(path, text, step);
      expect(value).toBe(step.done ? "done" : "ticked");
      const after = next ?? before;
      expect(after.length).toBe(before.length);
      const changed = [...before.keys()].filter((at) => before[at] !== after[at]);
      for (const at of changed) {
        expect(before.subarray(at - 1, at + 2).toString()).toBe("[ ]");
        expect(after.subarray(at - 1, at + 2).toString()).toBe("[x]");
      }
      const again = parseTask(path, after.toString()).boxes;
      expect(again.map(({ key }) => key)).toEqual(boxes.map(({ key }) => key));
      const ancestors = new Set<string>();
      for (let { parent } = step; parent !== null; { parent } = parent) ancestors.add(parent.key);
      for (const [index, now] of again.entries()) {
        const old = boxes[index];
        if (old === undefined) throw new Error("a step came");
        if (now.key === step.key) expect(now.done).toBe(true);
        else if (!ancestors.has(now.key)) {
          expect([now.done, now.box.isTicked]).toEqual([old.done, old.box.isTicked]);
        } else if (now.done) expect(now.box.isTicked).toBe(true);
        else expect(now.box.isTicked).toBe(old.box.isTicked);
        expect({ ...now, done: 0, box: 0, parent: 0, children: 0 }).toEqual({
          ...old,
          done: 0,
          box: 0,
          parent: 0,
          children: 0,
        } as never);
      }
      expect(changed.length).toBe(again.filter(({ box }, index) => box.isTicked !== boxes[index]?.box.isTicked).length);
      // Once more changes nothing.
      expect(tick(path, after.toString(), step)).toEqual({ next: null, value: "done" });
    }),
    { numRuns: 3_000 },
  );
});

test("a file without boxes gets status: done and keeps every other byte", () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const read = parsed(text);
      if (read === null || read.boxes.length > 0) return;
      const { title, frontMatter } = read;
      const { next, value } = tick(path, text, only(title));
      expect(value).toBe("ticked");
      const after = next?.toString() ?? "";
      const task = parseTask(path, after);
      expect(task.markedComplete).toBe(true);
      expect(task.steps[0]?.done).toBe(true);
      expect({ ...task.frontMatter.data, status: 0 }).toEqual({ ...frontMatter.data, status: 0 });
      expect(after.endsWith(text.slice(frontMatter.bodyFrom))).toBe(true);
      expect(after.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
      expect(tick(path, after, only(title))).toEqual({ next: null, value: "done" });
    }),
    { numRuns: 1_000 },
  );
});

test("comments and line ends of the front matter stay", () => {
  const whole = (text: string) => tick(path, text, only(parseTask(path, text).title)).next?.toString();
  expect(whole("---\r\nstatus: open # still\r\ntags: [a]\r\n---\r\nDo.\r\n")).toBe(
    "---\r\nstatus: done # still\r\ntags: [a]\r\n---\r\nDo.\r\n",
  );
  expect(whole("---\nstatus:\n---\nDo.")).toBe("---\nstatus: done\n---\nDo.");
  expect(whole("---\ntags: a\n---\nDo.")).toBe("---\ntags: a\nstatus: done\n---\nDo.");
  expect(whole("Do.\r\n")).toBe("---\r\nstatus: done\r\n---\r\n\r\nDo.\r\n");
  expect(() => whole("---\nstatus: [a]\n---\n")).toThrow("its status is no word");
});

test("a step that a human took out is missing, also when all boxes are gone", async () => {
  await stage.write(path, "- [ ] one\n");
  expect(await stage.vault.tick(path, only("two"))).toBe("missing");
  await stage.write(path, "No boxes any more.\n");
  expect(await stage.vault.tick(path, only("one"))).toBe("missing");
  expect(await stage.read(path)).toBe("No boxes any more.\n");
});

/** What comes of a tick of the step on this line, when the file is another by then. */
const tickAfter = async (text: string, line: number, later: string) => {
  await stage.write(path, text);
  const step = (await stage.vault.readTask(path)).steps.find((one) => one.line === line);
  if (step === undefined) throw new Error("no step there");
  await stage.write(path, later);
  const outcome = await stage.vault.tick(path, step);
  return [outcome, await stage.read(path)];
};

test("of steps with the same words in the same place none is ticked when one came or went meanwhile", async () => {
  const text = "- [ ] test\n- [ ] test\n";
  expect(await tickAfter(text, 1, text)).toEqual(["ticked", "- [x] test\n- [ ] test\n"]);
  expect(await tickAfter(text, 2, text)).toEqual(["ticked", "- [ ] test\n- [x] test\n"]);
  for (const later of ["- [ ] test\n", "- [ ] test\n".repeat(3)]) {
    expect(await tickAfter(text, 1, later)).toEqual(["missing", later]);
    expect(await tickAfter(text, 2, later)).toEqual(["missing", later]);
  }
  expect(await tickAfter("- [ ] test\n", 1, text)).toEqual(["missing", text]);
});

test("a step with the words of one that lies elsewhere is ticked where it is, whatever comes or goes there", async () => {
  const text = "## 1. A\n- [ ] test\n## 2. B\n- [ ] test\n";
  expect(await tickAfter(text, 4, "## 1. A\n## 2. B\n- [ ] test\n")).toEqual([
    "ticked",
    "## 1. A\n## 2. B\n- [x] test\n",
  ]);
  expect(await tickAfter("## 2. B\n- [ ] test\n", 2, text)).toEqual(["ticked", text.replace(/ (?=\] test\n$)/, "x")]);
  const gone = "## 1. A\n- [ ] test\n## 2. B\n- [ ] other\n";
  expect(await tickAfter(text, 4, gone)).toEqual(["missing", gone]);
  expect(await tickAfter("- [ ] a\n  - [ ] test\n", 2, "- [ ] b\n  - [ ] test\n")).toEqual([
    "missing",
    "- [ ] b\n  - [ ] test\n",
  ]);
});

test("a task that was emptied while it was worked on is not ticked", async () => {
  expect(await tickAfter("Do it.\n", 1, "")).toEqual(["missing", ""]);
});

test("a step that a human dressed otherwise is the same; one of other words is missing, and one of two alike", async () => {
  const ticked = async (text: string) => {
    await stage.write(path, text);
    const outcome = await stage.vault.tick(path, only("1.2 Write `login` tests"));
    return [outcome, await stage.read(path)];
  };
  for (const words of [
    "1.2 write login tests.",
    "1.2 **Write** “login”  tests (verify: bun test)",
    "_1.2 Write login_ tests",
  ]) {
    expect(await ticked(`- [ ] a\n- [ ] ${words}\n`)).toEqual(["ticked", `- [ ] a\n- [x] ${words}\n`]);
  }
  for (const words of [
    "1.2 Write logout tests",
    "1.3 Write login tests",
    "1.2 Write login tests?",
    "Write login tests",
  ]) {
    const text = `- [ ] ${words}\n`;
    expect(await ticked(text)).toEqual(["missing", text]);
  }
  const twice = "- [ ] 1.2 Write login tests\n- [x] 1.2 write login tests\n";
  expect(await ticked(twice)).toEqual(["missing", twice]);
  const parent = "- [ ] 1.2 write login tests\n  - [ ] one\n";
  expect(await ticked(parent)).toEqual(["missing", parent]);
});

test("the last step ticks those it belongs to", async () => {
  await stage.write(path, "- [ ] a\r\n  - [X] b\r\n  - [ ] c\r\n    - [ ] d");
  const step = { ...only("d"), path: ["a", "c"] };
  expect(await stage.vault.tick(path, step)).toBe("ticked");
  expect(await stage.read(path)).toBe("- [x] a\r\n  - [X] b\r\n  - [x] c\r\n    - [x] d");
  expect(await stage.vault.tick(path, step)).toBe("done");
});

test("the file stays the same file, with its mode and its other names, also while a program reads it", async () => {
  const file = join(stage.vault.root, path);
  await stage.write(path, "- [ ] a\n- [ ] b\n");
  await chmod(file, 0o640);
  await link(file, join(stage.folder, "other-name"));
  await stage.vault.tick(path, only("a"));
  expect(await readFile(join(stage.folder, "other-name"), "utf8")).toStartWith("- [x] a");
  const reader = await open(file, "r");
  try {
    expect(await stage.vault.tick(path, only("b"))).toBe("ticked");
  } finally {
    await reader.close();
  }
  expect(await stage.read(path)).toBe("- [x] a\n- [x] b\n");
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect((await readdir(join(stage.vault.root, "Specs"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a task that is empty, too large, binary, not UTF-8, a folder, gone, or outside is refused", async () => {
  const why = async (text: string | Uint8Array) => {
    await stage.write("/Specs/bad.md", text);
    const read = (await faultOf("task_file_unusable", stage.vault.readTask("/Specs/bad.md"))).detail;
    expect((await faultOf("task_file_unusable", stage.vault.tick("/Specs/bad.md", only("a")))).detail).toBe(read);
    return read;
  };
  expect(await why(`- [ ] a\n${"x".repeat(1024 * 1024)}`)).toBe("it is larger than 1 MB");
  for (const text of ["", " \n\t\n", "\uFEFF", "---\nverify: make\n---\n\n"]) {
    await stage.write("/Specs/bad.md", text);
    expect((await faultOf("task_file_unusable", stage.vault.readTask("/Specs/bad.md"))).detail).toBe("it is empty");
  }
  await stage.write("/Specs/bad.md", "---\ntitle: Log in\n---\n");
  expect((await stage.vault.readTask("/Specs/bad.md")).steps).toHaveLength(1);
  expect(await why("- [ ] a\n\0")).toBe("it is binary");
  expect(await why(Uint8Array.of(0x2d, 0xff))).toBe("it is not UTF-8");
  expect(await why("---\na: [\n---\n- [ ] a\n")).toStartWith("line 3, column 1: ");
  expect(await why("---\nverify: [a]\n---\n- [ ] a\n")).toBe("verify in its front matter is no text");
  const detail = async (file: string) => (await faultOf("task_file_unusable", stage.vault.readTask(file))).detail;
  expect(await detail("/Specs")).toBe("it is a folder");
  expect(await detail("/Specs/none.md")).toBe("there is no such file");
  expect(await detail("/Specs/../../outside.md")).toBe("it leads out of the vault");
  await writeFile(join(stage.folder, "outside.md"), "- [ ] a\n");
  await symlink(join(stage.folder, "outside.md"), join(stage.vault.root, "Specs/link.md"));
  expect(await detail("/Specs/link.md")).toBe("it leads out of the vault");
});

const human = `
const { readFileSync, writeFileSync, renameSync } = await import("node:fs");
const [file, way, seconds] = process.argv.slice(2);
const until = Date.now() + Number(seconds) * 1000;
let said = 0;
console.log("begun");
while (Date.now() < until) {
  const text = readFileSync(file, "utf8") + "said " + ++said + "\\n";
  if (way === "in place") writeFileSync(file, text);
  else { writeFileSync(file + "~", text); renameSync(file + "~", file); }
  if (readFileSync(file, "utf8").length < text.length) { console.log("shorter than it was saved"); process.exit(1); }
  const rest = Date.now() + said % 3;
  while (Date.now() < rest);
}
console.log(said);
`;

test.each(["in place", "by rename"])(
  "a human who keeps saving %s loses no change to ticks",
  async (way) => {
    const steps = Array.from({ length: 40 }, (_, index) => `step ${index}`);
    await stage.write(path, `${steps.map((step) => `- [ ] ${step}\n`).join("")}\n`);
    await stage.write("/human.ts", human);
    const file = join(stage.vault.root, path);
    const writer = Bun.spawn([process.execPath, join(stage.vault.root, "human.ts"), file, way, "3"], {
      stderr: "inherit",
    });
    let ticks = 0;
    let isOver = false;
    void writer.exited.then(() => {
      isOver = true;
    });
    // A human's save of what they read before a tick takes the tick back; the loop sees it, and ticks again.
    while (!isOver) {
      for (const step of steps) {
        const ticked = await stage.vault.tick(path, only(step)).catch(() => "busy");
        if (ticked === "ticked") ticks++;
        expect(ticked).not.toBe("missing");
        const { steps: read } = await stage.vault.readTask(path);
        expect(read).toHaveLength(steps.length);
      }
      await new Promise(setImmediate);
    }
    const output = (await new Response(writer.stdout).text()).trim().split("\n");
    expect(await writer.exited).toBe(0);
    const said = Number(output.at(-1));
    const text = await stage.read(path);
    const lines = [...text.matchAll(/^said (\d+)$/gm)].map(([, number]) => Number(number));
    expect(lines).toEqual(Array.from({ length: said }, (_, index) => index + 1));
    expect(said).toBeGreaterThan(50);
    expect(ticks).toBeGreaterThan(0);
    for (const step of steps) await stage.vault.tick(path, only(step));
    expect((await stage.vault.readTask(path)).steps.every(({ done }) => done)).toBe(true);
  },
  30_000,
);
