import { expect, test } from "bun:test";
import { Fault } from "@ralpher/contract";
import { loopId } from "../../test/events.ts";
import { parseRefusal } from "../feed/refusal.ts";
import { questionOf } from "./act.ts";

const target = { id: loopId, name: "parser" };
const refusal = (fault: Fault) => parseRefusal(fault.http, JSON.stringify(fault));

test("[R-WEB-4, R-GIT-4] uncommitted changes ask what is to happen to them, with the files", () => {
  const fault = new Fault("uncommitted_changes", { directory: "/r", changedFiles: ["a.ts", "b.ts"] });
  expect(questionOf(target, "start", refusal(fault))).toMatchObject({
    ask: "uncommitted",
    directory: "/r",
    changedFiles: ["a.ts", "b.ts"],
    action: { name: "start" },
  });
});

test("[R-GIT-5] a conflict asks how to go on, whatever was tried", () => {
  const fault = new Fault("merge_conflict", { branch: "ralph/x", target: "main", files: ["a.ts"] });
  for (const tried of ["accept", "update-branch"] as const) {
    expect(questionOf(target, tried, refusal(fault))).toEqual({
      ask: "conflict",
      target,
      branch: "ralph/x",
      into: "main",
      files: ["a.ts"],
      tried,
    });
  }
});

test("any other refusal leaves nothing to choose", () => {
  expect(questionOf(target, "start", refusal(new Fault("git_missing", {})))).toBeNull();
  expect(questionOf(target, "start", new Error("bug"))).toBeNull();
});
