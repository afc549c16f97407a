import { expect, test } from "bun:test";
import { TaskStep } from "@ralpher/contract";
import { parseTask } from "./parse-task.ts";

const stepsOf = (text: string) => parseTask("/Specs/a/tasks.md", text).steps;
const keysOf = (text: string) => stepsOf(text).map(({ key }) => key);

test("steps are boxes with any list sign, ticked or not", () => {
  const text = "- [ ] a\n* [x] b\n+ [X] c\n1. [ ] d\n2) [x] e\n- plain\n-[ ] none\n- [-] off\n- []\n- [ ]\n- [ ]no\n";
  expect(stepsOf(text).map(({ key, done, line }) => [key, done, line])).toEqual([
    ["a", false, 1],
    ["b", true, 2],
    ["c", true, 3],
    ["d", false, 4],
    ["e", true, 5],
  ]);
});

test("steps nest by blanks and tabs, and belong to the headings with numbers above them", () => {
  const text = [
    "# All of it",
    "## 1. Setup ##",
    "- [ ] 1.1 one",
    "  - [x] deep",
    "\t- [ ] tab",
    "",
    "      - [ ] deepest",
    "  - note",
    "    - [ ] below a note",
    "### Not numbered",
    "1. [ ] first",
    "  - [ ] two columns",
    "   - [ ] three columns",
    "",
    "2 Setup too",
    "---",
    "- [ ] last",
  ].join("\n");
  expect(stepsOf(text).map(({ key, path, depth, isParent }) => [key, path, depth, isParent])).toEqual([
    ["1.1 one", ["1. Setup"], 0, true],
    ["deep", ["1. Setup", "1.1 one"], 1, true],
    ["tab", ["1. Setup", "1.1 one", "deep"], 2, true],
    ["deepest", ["1. Setup", "1.1 one", "deep", "tab"], 3, false],
    ["below a note", ["1. Setup", "1.1 one"], 1, false],
    ["first", ["1. Setup"], 0, true],
    ["two columns", ["1. Setup", "first"], 1, false],
    ["three columns", ["1. Setup", "first"], 1, false],
    ["last", ["2 Setup too"], 0, false],
  ]);
});

test.each([
  ["a fence", "```\n- [ ] no\n```\n- [ ] yes\n"],
  ["a fence of tildes with a shorter one in it", "~~~~ md\n- [ ] no\n~~~\n- [ ] no\n~~~~~\n- [ ] yes\n"],
  ["a fence in a step", "- [ ] yes\n  ```\n  - [ ] no\n  ```\n"],
  ["a fence in a step that is never closed", "- a\n  ```\n  - [ ] no\n- [ ] yes\n"],
  ["a fence that begins an item", "- ```\n  - [ ] no\n  ```\n- [ ] yes\n"],
  ["indented code", "words\n\n    - [ ] no\n\n    - [ ] no\n\n- [ ] yes\n"],
  ["indented code below a heading", "# A\n    - [ ] no\n- [ ] yes\n"],
  ["words that go on", "words\n    - [ ] no\n\n- [ ] yes\n"],
  ["indented code in an item", "- a\n\n      - [ ] no\n      - [ ] no\n- [ ] yes\n"],
  ["a comment", "<!-- - [ ] no\n- [ ] no -->\n- [ ] yes\n"],
  ["a comment on one line", "<!-- - [ ] no -->\n- [ ] yes\n"],
  ["a comment further in", "- [ ] yes <!-- and\n- [ ] no\n-->\n"],
  ["front matter", "---\nlist:\n- [ ]\n- [x]\n---\n- [ ] yes\n"],
  ["a quotation", "> - [ ] no\n\n- [ ] yes\n"],
  ["a line across", "- - -\n- [ ] yes\n* * *\n"],
  ["an item within an item", "- - [ ] no\n- [ ] yes\n"],
])("%s holds no steps", (_name, text) => {
  expect(keysOf(text)).toEqual(["yes"]);
});

test("what only looks like a comment or a fence hides nothing", () => {
  expect(keysOf("- [ ] write `<!--` here\n- [ ] b\n")).toEqual(["write `<!--` here", "b"]);
  expect(keysOf("- [ ] never <!-- closed\n- [ ] b\n")).toEqual(["never", "b"]);
  expect(keysOf("``` a`b\n- [ ] a\n")).toEqual(["a"]);
});

test("any line ends, a byte order mark, and no line end at the end", () => {
  const text = "\uFEFF---\r\ntitle: T\r\n---\r\n- [ ] a\r  - [x] b\n\r\n* [ ] [[Note]] é ^id1";
  const { title, steps } = parseTask("/Specs/x.md", text);
  expect(title).toBe("T");
  expect(steps.map(({ key, line, depth }) => [key, line, depth])).toEqual([
    ["a", 4, 0],
    ["b", 5, 1],
    ["[[Note]] é ^id1", 7, 0],
  ]);
});

test("the same words twice get a number, and a step's key does not change with other lines", () => {
  expect(keysOf("- [ ] test\n- [ ] test (2)\n- [x] test\n- [ ] test\n")).toEqual([
    "test",
    "test (2)",
    "test (3)",
    "test (4)",
  ]);
  expect(keysOf("# new\n\n- [x]   other\n- [x] 1.2  Log in (verify: true)\n")).toEqual(["other", "1.2 Log in"]);
});

test("the same words in other places are told apart by those, and only in one place by a number", () => {
  const text = [
    "## 1. Auth",
    "- [ ] Write tests",
    "- [ ] Log in",
    "## 2. Billing",
    "- [ ] Write tests",
    "- [ ] Write tests",
    "- [ ] Bill",
    "  - [ ] Write tests",
  ].join("\n");
  expect(stepsOf(text).map(({ key, path, twins }) => [key, path, twins])).toEqual([
    ["1. Auth › Write tests", ["1. Auth"], 1],
    ["Log in", ["1. Auth"], 1],
    ["2. Billing › Write tests", ["2. Billing"], 2],
    ["2. Billing › Write tests (2)", ["2. Billing"], 2],
    ["Bill", ["2. Billing"], 1],
    ["2. Billing › Bill › Write tests", ["2. Billing", "Bill"], 1],
  ]);
  expect(stepsOf("- [ ] a\n- [ ] a\n  - [ ] a\n").map(({ key, twins }) => [key, twins])).toEqual([
    ["a", 2],
    ["a (2)", 2],
    ["a › a", 1],
  ]);
  expect(TaskStep.parse({ ...stepsOf("- [ ] a\n")[0], twins: undefined }).twins).toBe(1);
});

test("a step's text has what stands below it, without that of its own steps", () => {
  const [first, second] = stepsOf(
    "- [ ] one\n  more\n  - a note\n\n  ```sh\n  verify: x\n  ```\n  - [ ] two\n    of two\nlazy\n\nafter\n",
  );
  expect(first?.text).toBe("one\nmore\n- a note\n\n```sh\nverify: x\n```");
  expect(first?.verify).toBeNull();
  expect(second?.text).toBe("two\nof two\nlazy");
});

test("a check is named at the end of the line, in a comment, or on a line of its own", () => {
  const text = [
    "- [ ] a (verify: bun test (all))",
    "- [ ] b <!-- verify: bun test b -->",
    "- [ ] c",
    "  verify: `bun test c`",
    "- [ ] d",
    "  - verify: bun test d",
    "- [ ] e (verify: `make e`) ^anchor",
    "  - [ ] of e",
    "  - [ ] none of e (verify: none)",
    "- [ ] f",
    "  <!-- verify: bun test f -->",
    "- [ ] (verify: x) in the middle",
    "- [ ] g (VERIFY:)",
  ].join("\n");
  expect(stepsOf(text).map(({ key, verify }) => [key, verify])).toEqual([
    ["a", "bun test (all)"],
    ["b", "bun test b"],
    ["c", "bun test c"],
    ["d", "bun test d"],
    ["e ^anchor", "make e"],
    ["of e", "make e"],
    ["none of e", null],
    ["f", "bun test f"],
    ["(verify: x) in the middle", null],
    ["g", null],
  ]);
  const whole = stepsOf("---\nverify: make\n---\n- [ ] a\n  - [ ] b (verify: none)\n- [ ] c (verify: x)\n");
  expect(whole.map(({ verify }) => verify)).toEqual(["make", null, "x"]);
});

test("a step with steps below it is done when they are", () => {
  const done = (text: string) => stepsOf(text).map((step) => step.done);
  expect(done("- [x] a\n  - [ ] b\n  - [x] c\n")).toEqual([false, false, true]);
  expect(done("- [ ] a\n  - [ ] b\n    - [x] c\n  - [x] d\n")).toEqual([true, true, true, true]);
});

test("a file without boxes is one step", () => {
  expect(stepsOf("---\nverify: make\nstatus: open\n---\n\n# Do it\n\nAll of it.\n")).toEqual([
    {
      key: "Do it",
      text: "# Do it\n\nAll of it.",
      path: [],
      twins: 1,
      line: 5,
      depth: 0,
      done: false,
      isParent: false,
      verify: "make",
    },
  ]);
  expect(stepsOf("")).toHaveLength(1);
});

test.each([
  ["status: done", true],
  ["status: Completed", true],
  ["status: complete", true],
  ["completed: true", true],
  ["status: open", false],
  ["completed: no", false],
  ["title: done", false],
])("front matter %s", (line, isComplete) => {
  expect(parseTask("/a.md", `---\n${line}\n---\n- [ ] a\n`).markedComplete).toBe(isComplete);
});

test("a task is called by its front matter, else by its heading or its file, and a file that says nothing by its folder", () => {
  const named = (path: string, text: string) => {
    const { id, title } = parseTask(path, text);
    return [id, title];
  };
  expect(named("/Specs/auth_feature/tasks.md", "# Log in\n")).toEqual(["auth_feature", "Log in"]);
  expect(named("/Specs/auth_feature/tasks.md", "---\ntask_id: 7\ntitle: T\n---\n# H\n")).toEqual(["7", "T"]);
  expect(named("/Specs/my task.md", "```\n# no\n```\n")).toEqual(["my task", "my task"]);
  expect(named("/tasks.md", "")).toEqual(["tasks", "tasks"]);
});

test("a file with tens of thousands of like steps, or of signs without end, is read", () => {
  expect(stepsOf("- [ ] a\n".repeat(50_000))).toHaveLength(50_000);
  expect(stepsOf(`- [ ] ${"`".repeat(300_000)} <!--`)).toHaveLength(1);
  expect(stepsOf("- [ ] a <!-- ".repeat(20_000))).toHaveLength(1);
  expect(stepsOf("- [ ] a <!-- x --> ` `` ".repeat(40_000))).toHaveLength(1);
  const nested = Array.from({ length: 500 }, (_, depth) => `${"  ".repeat(depth)}- [ ] ${depth}\n`);
  expect(stepsOf(nested.join("")).at(-1)?.depth).toBe(499);
});
