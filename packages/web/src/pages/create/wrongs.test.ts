import { expect, test } from "bun:test";
import { Fault } from "@ralpher/contract";
import { parseRefusal } from "../../feed/refusal.ts";
import { wrongsOf } from "./wrongs.ts";

const refused = (fault: Fault) => wrongsOf(parseRefusal(fault.http, JSON.stringify(fault)));

test("[R-WEB-2, R-API-5] the API's failing paths are told at their fields, each once", () => {
  const issues = [
    { path: "git.branchPrefix", message: "not a branch name" },
    { path: "model.providerID", message: "empty" },
    { path: "model.modelID", message: "empty too" },
    { path: "(root)", message: "odd" },
  ];
  expect(refused(new Fault("invalid_input", { what: "request", issues }))).toEqual({
    "git.branchPrefix": "Not a branch name.",
    model: "Empty.",
    "": "Odd.",
  });
});

test("[R-WEB-2, R-GIT-7] a folder that does not serve is told at the folder", () => {
  const fault = new Fault("not_a_repository", { directory: "/x" });
  expect(refused(fault)).toEqual({ directory: fault.message });
});

test("[R-WEB-2] what concerns no field is told for the form", () => {
  const fault = new Fault("git_missing", {});
  expect(refused(fault)).toEqual({ "": fault.message });
  expect(wrongsOf(new Error("bug"))).toEqual({ "": "bug" });
});

test("what a SODA loop cannot begin with is told at the spec, the tests and the branch", () => {
  const spec = new Fault("spec_unusable", { path: "/x/Sodafile", detail: "it is empty" });
  expect(refused(spec)).toEqual({ "strategy.spec": spec.message });
  const tests = new Fault("test_command_unusable", { command: "mkae", detail: "there is no such program" });
  expect(refused(tests)).toEqual({ "strategy.test": tests.message });
  const branch = new Fault("branch_missing", { branch: "trunk" });
  expect(refused(branch)).toEqual({ "strategy.base": branch.message });
});
