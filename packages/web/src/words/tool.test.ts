import { expect, test } from "bun:test";
import { toolCall } from "../../test/events.ts";
import { describeTool, resultOf } from "./tool.ts";

test("[R-WEB-3] a tool call reads as verb and object, whatever the agent calls its tools and inputs", () => {
  const told = (name: string, input: unknown) => {
    const { verb, object } = describeTool(name, input, "/data/a");
    return `${verb} ${object}`.trim();
  };
  expect(told("Read", { file_path: "/data/a/src/x.ts" })).toBe("Read src/x.ts");
  expect(told("read", { filePath: "/elsewhere/x.ts" })).toBe("Read /elsewhere/x.ts");
  expect(told("Bash", { command: "\nbun test\nbun run lint" })).toBe("Run bun test");
  expect(told("grep", { pattern: "peek\\(" })).toBe("Search peek\\(");
  expect(told("TodoWrite", { todos: [1, 2] })).toBe("Plan 2 steps");
  expect(told("mcp__db__query", { query: "select 1" })).toBe("mcp__db__query select 1");
  expect(told("strange", "not an object")).toBe("strange");
});

test("[R-WEB-3] a result is what one wants to know of it", () => {
  expect(resultOf(toolCall("1", "Read", {}, { output: "a\nb\n", outputBytes: 4 }))).toBe("2 lines");
  expect(resultOf(toolCall("1", "Read", {}, { output: "a…", outputBytes: 50_000 }))).toBe("50,000 bytes");
  expect(resultOf(toolCall("1", "Bash", {}, { output: "1 pass\n2 fail\n\n", outputBytes: 15 }))).toBe("2 fail");
  expect(resultOf(toolCall("1", "Bash", {}, { output: "", outputBytes: 0 }))).toBe("nothing");
  expect(resultOf(toolCall("1", "Edit", {}))).toBe("");
  expect(resultOf(toolCall("1", "Edit", {}, { status: "error", output: "no match\nat all" }))).toBe("no match");
});
