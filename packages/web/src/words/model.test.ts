import { expect, test } from "bun:test";
import { BackendType } from "@ralpher/contract";
import { backendOrder, healthWords, modelText, readModel } from "./model.ts";

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
