import { expect, test } from "bun:test";
import type { ToolAccess } from "@ralpher/contract";
import { closedRules, inheritedRules } from "./permission-rules.ts";

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
