import { expect, test } from "bun:test";
import { type BackendReport, BackendType } from "@ralpher/contract";
import { backendOrder, healthWords, modelText, readModel, usableOf } from "./model.ts";

test("[R-WEB-2] a model is provider and name; the name may have slashes", () => {
  expect(readModel(" openrouter/meta/llama ")).toEqual({ providerID: "openrouter", modelID: "meta/llama" });
  for (const text of ["", "gpt", "/gpt", "openai/"]) expect(readModel(text)).toBeNull();
  expect(modelText({ providerID: "a", modelID: "b/c" })).toBe("a/b/c");
});

test("[R-WEB-2] every agent has its words, and one that is missing says so", () => {
  expect([...backendOrder].sort()).toEqual([...BackendType.options].sort());
  expect(healthWords({ state: "ready", version: "1.2.3" })).toBe("1.2.3");
  expect(healthWords({ state: "missing", detail: "", install: "" })).toBe("not installed");
});

test("where nobody chose, an agent is taken that is there, and never one that plays a script", () => {
  const report = (type: BackendReport["type"], isReady: boolean) =>
    ({ type, health: isReady ? { state: "ready" } : { state: "missing" } }) as BackendReport;
  const here = [report("opencode", false), report("claude", true), report("scripted", true)];
  expect(usableOf("opencode", here)).toBe("claude");
  expect(usableOf("claude", here)).toBe("claude");
  expect(usableOf("opencode", null)).toBe("opencode");
  expect(usableOf("opencode", [report("opencode", false), report("scripted", true)])).toBe("opencode");
});
