import { expect, test } from "bun:test";
import type { ToolAccess } from "@ralpher/contract";
import { closedRules, inheritedRules } from "./permission-rules.ts";
import { readToolCall } from "./tool-call.ts";
import { readWantedCall } from "./wanted-call.ts";

type Rules = ReturnType<typeof closedRules>;

/** As opencode does it: the last rule that matches counts. */
const actionOf = (rules: Rules, permission: string, pattern = "x") =>
  rules.findLast((rule) => ["*", permission].includes(rule.permission) && ["*", pattern].includes(rule.pattern))
    ?.action;

const readOnly: ToolAccess = { kinds: ["read", "search"], commands: [] };
const own = [
  { permission: "*", pattern: "*", action: "allow" as const },
  { permission: "read", pattern: "secret", action: "deny" as const },
  { permission: "r*", pattern: "open", action: "allow" as const },
];

test("what is allowed is asked about, the rest is denied, and answers in a form are always possible", () => {
  const rules = closedRules(readOnly, own);
  expect(
    ["read", "grep", "edit", "bash", "mcp_tool", "question", "StructuredOutput"].map((one) => actionOf(rules, one)),
  ).toEqual(["ask", "ask", "deny", "deny", "deny", "deny", "allow"]);
  expect(actionOf(rules, "read", "secret")).toBe("deny");
  expect(actionOf(rules, "read", "open")).toBe("ask");
  expect(actionOf(closedRules({ ...readOnly, commands: ["bun test"] }, own), "bash")).toBe("ask");
});

test("a subagent inherits denials only, so that those name each tool that is not allowed", () => {
  const access: ToolAccess = { kinds: ["read", "delegate"], commands: ["bun test"] };
  const rules = inheritedRules(access, own, ["read", "write", "bash", "invalid", "my_tool", "server_*"]);
  expect(["read", "task", "edit", "bash", "unheard-of"].map((one) => actionOf(rules, one))).toEqual([
    "ask",
    "ask",
    "deny",
    "ask",
    "ask",
  ]);
  const inherited = rules.filter(({ action }) => action === "deny");
  expect(
    ["read", "edit", "bash", "my_tool", "server_*", "external_directory"].map((one) => actionOf(inherited, one)),
  ).toEqual([undefined, "deny", "deny", "deny", "deny", "deny"]);
  expect(inherited.some(({ permission }) => permission === "*" || permission === "invalid")).toBe(false);
});

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
