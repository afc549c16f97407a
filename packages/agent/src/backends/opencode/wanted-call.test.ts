import { expect, test } from "bun:test";
import { readToolCall } from "./tool-call.ts";
import { readWantedCall } from "./wanted-call.ts";

test("what opencode asks about is read as a call in our words", () => {
  const asked = (permission: string, patterns: string[], metadata = {}) =>
    readWantedCall({ permission, patterns, metadata }, "/repo");
  expect(asked("read", ["src/a.ts"])).toMatchObject({ kind: "read", paths: ["/repo/src/a.ts"] });
  expect(asked("edit", ["a", "../b"], { files: [{ movePath: "/etc/c" }, null] })).toMatchObject({
    kind: "edit",
    paths: ["/repo/a", "/b", "/etc/c"],
  });
  expect(asked("bash", ["a", "b"], { command: "a; b" })).toMatchObject({ kind: "run", command: "a; b" });
  expect(asked("grep", ["x"], { path: "src" })).toMatchObject({ kind: "search", paths: ["src"] });
  expect(asked("read", ["mcp:server:uri"], { server: "server" }).kind).toBeNull();
  expect(asked("mystery", ["*"]).kind).toBeNull();
});

test("the input of a tool is read as a call in our words", () => {
  expect(readToolCall("bash", { command: "ls", workdir: "/tmp" })).toMatchObject({
    kind: "run",
    command: "ls",
    paths: ["/tmp"],
  });
  expect(readToolCall("write", { filePath: "a", content: "" })).toMatchObject({ kind: "edit", paths: ["a"] });
  const patchText =
    "*** Begin Patch\n*** Update File: a.ts\n*** Move to: ../b.ts\n*** Delete File: c.ts\n*** End Patch";
  expect(readToolCall("apply_patch", { patchText })).toMatchObject({
    kind: "edit",
    paths: ["a.ts", "../b.ts", "c.ts"],
  });
  expect(readToolCall("my_tool", null)).toEqual({ kind: null, name: "my_tool", paths: [] });
});
