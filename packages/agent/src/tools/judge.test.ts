import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOnly } from "./access.ts";
import { isAllowedCommand } from "./command-line.ts";
import { refusalOf } from "./judge.ts";

let root: string;
let directory: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-judge-")));
  directory = join(root, "here");
  await mkdir(join(directory, "src"), { recursive: true });
  await writeFile(join(root, "secret"), "");
  await symlink(join(root, "secret"), join(directory, "link"));
});
afterAll(() => rm(root, { recursive: true }));

test.each([
  "bun test",
  "  bun test ",
  "bun test src/a.test.ts -t 'adds & subtracts'",
  'bun test --name="a b"',
  "bun test 2>&1",
  "bun test src 2>&1 | tail -n 40",
  "bun test | head -20",
  "bun test HEAD~1 main..feature ./src",
])("an allowed command may stand alone or with plain arguments: %s", (line) => {
  expect(isAllowedCommand(["npm test", "bun test"], line)).toBe(true);
});

test.each([
  "bun tests",
  "bun",
  "bun test; rm -rf x",
  "bun test && touch x",
  "bun test\ntouch x",
  "bun test $(touch x)",
  "bun test `touch x`",
  'bun test "$(touch x)"',
  "bun test > x",
  "bun test & touch x",
  "bun test | sh",
  "bun test | tail -5 | sh",
  "bun test <(touch x)",
  "bun test {a,b}",
  "bun test \\\ntouch",
  "touch x; bun test",
  "FOO=1 bun test",
  "bun test /etc/passwd",
  "bun test ~/x",
  "bun test --preload=/tmp/x.ts",
  "bun test --out '/tmp/x'",
  "bun test ../elsewhere",
  "bun test src/../../elsewhere",
  "bun test --preload=..",
])("what a shell would make more of is refused: %s", (line) => {
  expect(isAllowedCommand(["npm test", "bun test"], line)).toBe(false);
});

test.each([
  "git diff --output=x",
  "git diff --output x",
  "git log --outp=x",
  "git log -p '--output'=x",
  'git log -p --out"put"=x',
  "git diff HEAD~1 --output=x | tail -5",
  "git show -o x",
  "git show -ox",
  "git diff -Oorder",
  "git diff --ext-diff",
  "git show HEAD --textconv",
  "git log -c core.pager=x",
  "git log --exec-path=x",
  "git log --upload-pack=x",
])("what has git write a file or run a program is refused: %s", (line) => {
  expect(isAllowedCommand(["git diff", "git log", "git show"], line)).toBe(false);
});

test.each([
  "git log --oneline -5",
  "git log --stat --no-ext-diff --format='%h %s'",
  "git diff --text --cached --color=never -- src/a.ts",
  "git show HEAD:src/a.ts",
  "git log --cc --since=2.weeks --author=ada",
])("looking at git is not: %s", (line) => {
  expect(isAllowedCommand(["git diff", "git log", "git show"], line)).toBe(true);
});

test("other programs' options are their own affair", () => {
  expect(isAllowedCommand(["bun test"], "bun test -c x --output=y")).toBe(true);
});

test("without rules everything is allowed, and with rules only what they name", () => {
  expect(refusalOf(undefined, directory, { kind: null, name: "whatever", paths: ["/etc/passwd"] })).toBeNull();
  const rules = readOnly(["bun test"]);
  expect(refusalOf(rules, directory, { kind: "read", name: "read", paths: ["src/a.ts"] })).toBeNull();
  expect(refusalOf(rules, directory, { kind: "edit", name: "write", paths: ["a"] })).toContain("write");
  expect(refusalOf(rules, directory, { kind: null, name: "mystery" })).toContain("mystery");
  expect(refusalOf(rules, directory, { kind: "run", name: "bash", command: "bun test -t x" })).toBeNull();
  expect(refusalOf(rules, directory, { kind: "run", name: "bash", command: "rm x" })).toContain("bun test");
  expect(refusalOf(readOnly(), directory, { kind: "run", name: "bash", command: "ls" })).toContain("bash");
});

test.each(["../secret", "/etc/passwd", "link", "src/../../secret", "../here-too/x"])(
  "%s is not inside the directory",
  (path) => {
    expect(refusalOf(readOnly(), directory, { kind: "read", name: "read", paths: [path] })).toContain("outside");
  },
);

test("a file that is yet to be made is judged by the folder it will be in", () => {
  const rules = { kinds: ["edit" as const], commands: [] };
  expect(refusalOf(rules, directory, { kind: "edit", name: "write", paths: ["new/deep/file"] })).toBeNull();
  expect(refusalOf(rules, directory, { kind: "edit", name: "write", paths: ["../new/file"] })).toContain("outside");
});

test.each([
  ".git/config",
  ".claude/settings.json",
  "sub/.GIT/hooks/pre-commit",
  ".mcp.json",
  "opencode.json",
  ".opencode/x",
])("whoever may edit but not run may not write %s, which has programs run", (path) => {
  const edit = { kind: "edit" as const, name: "write", paths: [path] };
  expect(refusalOf({ kinds: ["edit"], commands: ["git status"] }, directory, edit)).toContain("programs");
  expect(refusalOf({ kinds: ["edit", "run"], commands: [] }, directory, edit)).toBeNull();
  expect(refusalOf(readOnly(), directory, { ...edit, kind: "read", name: "read" })).toBeNull();
});

test("a link to what has programs run is no way around", async () => {
  await mkdir(join(directory, ".git"), { recursive: true });
  await symlink(join(directory, ".git"), join(directory, "harmless"));
  const edit = { kind: "edit" as const, name: "write", paths: ["harmless/config"] };
  expect(refusalOf({ kinds: ["edit"], commands: [] }, directory, edit)).toContain("programs");
});
