import { expect, test } from "bun:test";
import { readOnly } from "../../tools/access.ts";
import { refusalOf } from "../../tools/judge.ts";
import { readWantedCall, toolsFor } from "./tool-kinds.ts";

test("only the tools are offered that something allowed needs", () => {
  expect(toolsFor(readOnly())).toEqual(["Read", "Glob", "Grep"]);
  expect(toolsFor(readOnly(["bun test"]))).toEqual(["Read", "Glob", "Grep", "Bash"]);
  expect(toolsFor({ kinds: ["edit", "web", "delegate"], commands: [] })).toEqual([
    "Edit",
    "Write",
    "NotebookEdit",
    "WebFetch",
    "WebSearch",
    "Agent",
  ]);
});

test("what a call wants: its command, and every path it names", () => {
  expect(readWantedCall("Bash", { command: "ls" })).toEqual({ kind: "run", name: "Bash", command: "ls", paths: [] });
  expect(readWantedCall("Write", { file_path: "/a", content: "/b" })).toMatchObject({ kind: "edit", paths: ["/a"] });
  expect(readWantedCall("NotebookEdit", { notebook_path: "/a" })).toMatchObject({ kind: "edit", paths: ["/a"] });
  expect(readWantedCall("Grep", { pattern: "/etc", path: "src" })).toMatchObject({ kind: "search", paths: ["src"] });
  expect(readWantedCall("Glob", { pattern: "/etc/*" }).paths).toEqual(["/etc/*"]);
  expect(readWantedCall("Glob", { pattern: "{a,../..}/*", path: "src" }).paths).toEqual(["src", ".."]);
});

test("a path is judged as Claude Code takes it: without blanks, and with the home for ~", () => {
  const directory = "/work";
  const refuse = (name: string, input: Record<string, unknown>) =>
    refusalOf(readOnly(), directory, readWantedCall(name, input)) !== null;
  expect(refuse("Grep", { pattern: "x", path: "src" })).toBe(false);
  for (const path of ["~", " ~/secrets", "~root", "\t/etc", " .."]) {
    expect(refuse("Grep", { pattern: "x", path })).toBe(true);
    expect(refuse("Read", { file_path: path })).toBe(true);
    expect(refuse("Glob", { pattern: path })).toBe(true);
  }
});

test("a subagent that works elsewhere is not the one that may be asked", () => {
  expect(readWantedCall("Agent", { prompt: "x" }).kind).toBe("delegate");
  expect(readWantedCall("Agent", { prompt: "x", isolation: "remote" }).kind).toBeNull();
});

test("what a tool does that we do not know is unknown", () => {
  expect(readWantedCall("mcp__some__tool", { command: "ls" })).toMatchObject({ kind: null });
});
