import { expect, test } from "bun:test";
import { CreateLoopRequest, LoopConfig } from "@ralpher/contract";
import { config } from "../../../test/events.ts";
import {
  cleanPath,
  type Draft,
  draftIn,
  draftOf,
  emptyDraft,
  isAdvanced,
  parseDraft,
  requestOf,
  splitCommand,
} from "./draft.ts";

const draft = (changes: Partial<Draft>): Draft => ({ ...emptyDraft, directory: "/repo/", prompt: "Do it", ...changes });
const request = (changes: Partial<Draft>) => requestOf(draft(changes)).request;

test("[R-WEB-2] folder and goal are all it takes; the API's schema takes it and fills in the rest", () => {
  const parsed = CreateLoopRequest.parse(request({}));
  expect(parsed).toMatchObject({ directory: "/repo", prompt: "Do it", git: { enabled: true, branchPrefix: "ralph/" } });
  expect(parsed.start).toBeUndefined();
  expect(parsed.maxIterations).toBeUndefined();
});

test("[R-WEB-2] every field of the form reaches the API", () => {
  const full = requestOf(
    draft({
      backend: "opencode",
      model: "anthropic/claude",
      name: " Mine ",
      maxIterations: "12",
      stopPattern: "done$",
      failureThreshold: "5",
      idleTimeoutSeconds: "60",
      isolation: "checkout",
      branchPrefix: "x/",
      commitPrefix: "[x]",
      mode: "connect",
      hostname: "host",
      port: "4096",
    }),
    { handleUncommitted: "stash" },
  ).request;
  expect(CreateLoopRequest.parse(full)).toMatchObject({
    name: "Mine",
    model: { providerID: "anthropic", modelID: "claude" },
    maxIterations: 12,
    stopPattern: "done$",
    failureThreshold: 5,
    idleTimeoutSeconds: 60,
    backend: { type: "opencode", mode: "connect", hostname: "host", port: 4096 },
    git: { enabled: true, isolation: "checkout", branchPrefix: "x/", commitPrefix: "[x]" },
    start: { handleUncommitted: "stash" },
  });
});

test("[R-WEB-2] what does not belong to the chosen agent or mode is not sent", () => {
  const sent = request({ backend: "claude", port: "1", hostname: "h", command: "agent acp", script: "/s" });
  expect(sent?.backend).toEqual({ type: "claude", mode: "spawn" });
  expect(request({ backend: "acp", command: `my-agent --name "a b" acp` })?.backend.command).toEqual([
    "my-agent",
    "--name",
    "a b",
    "acp",
  ]);
});

test("[R-WEB-2] what is wrong is told by the path of its field", () => {
  const { wrongs } = requestOf({ ...emptyDraft, model: "gpt", maxIterations: "0", mode: "connect", port: "x" });
  expect(Object.keys(wrongs ?? {}).sort()).toEqual(["backend.port", "directory", "maxIterations", "model", "prompt"]);
  expect(isAdvanced("maxIterations")).toBe(true);
  expect(isAdvanced("git.branchPrefix")).toBe(true);
  expect(isAdvanced("prompt")).toBe(false);
});

test("[R-WEB-2] a duplicate asks for the same loop again, but for its name", () => {
  const original = LoopConfig.parse({
    ...config,
    model: { providerID: "a", modelID: "b" },
    maxIterations: 7,
    backend: { type: "acp", command: ["agent", "two words"] },
    git: { enabled: false },
  });
  const { id, name, createdAt, updatedAt, ...settings } = original;
  const { start, ...again } = CreateLoopRequest.parse(requestOf(draftOf(original)).request);
  expect(again).toEqual({ ...settings, backend: { ...settings.backend } });
});

test("[R-WEB-2] a kept draft is read back; what does not fit is as in an empty one", () => {
  const kept = draft({ git: false, name: "x" });
  expect(parseDraft(JSON.stringify(kept))).toEqual(kept);
  expect(parseDraft(JSON.stringify({ git: "yes", prompt: 1, other: "x", name: "x" }))).toEqual({
    ...emptyDraft,
    name: "x",
  });
  for (const text of [null, "", "nope", "null", "3"]) expect(parseDraft(text)).toEqual(emptyDraft);
});

test("a path loses the slash of its completion, the root keeps it; a command is cut into words", () => {
  expect([cleanPath(" /a/b// "), cleanPath("/")]).toEqual(["/a/b", "/"]);
  expect(splitCommand(`a 'b c' "d" e`)).toEqual(["a", "b c", "d", "e"]);
});

test("[L-CLI-2] a SODA loop needs a folder and a spec's path, and no goal", () => {
  const parsed = CreateLoopRequest.parse(request({ strategy: "soda", prompt: "" }));
  expect(parsed.strategy).toEqual({ type: "soda", spec: "Sodafile", testTimeoutSeconds: 600 });
  expect(parsed.prompt).toBeUndefined();
  const full = request({ strategy: "soda", spec: "docs/spec.md ", test: "bun test", base: "main", git: false });
  const { strategy, git } = CreateLoopRequest.parse(full);
  expect(strategy).toMatchObject({ spec: "docs/spec.md", test: "bun test", base: "main" });
  expect(git.enabled).toBe(true);
});

test("a SODA loop is duplicated with its spec and settings", () => {
  const soda = { type: "soda", spec: "SPEC.md", test: "make test", testTimeoutSeconds: 60 } as const;
  expect(draftOf(LoopConfig.parse({ ...config, strategy: soda }))).toMatchObject({
    strategy: "soda",
    spec: "SPEC.md",
    test: "make test",
    base: "",
    prompt: "",
  });
});

test("a task needs a vault and a file, and no goal; its limits are the vault's where none is given", () => {
  const task = { strategy: "task", prompt: "", file: " Specs/a.md " } as const;
  const parsed = CreateLoopRequest.parse(request(task));
  expect(parsed.strategy).toEqual({ type: "task", file: "Specs/a.md", startedBy: "human" });
  expect([parsed.prompt, parsed.maxIterations]).toEqual([undefined, undefined]);
  const limited = CreateLoopRequest.parse(request({ ...task, failureThreshold: "5", maxIterations: "9" }));
  expect(limited).toMatchObject({ strategy: { failureThreshold: 5 }, maxIterations: 9, failureThreshold: 3 });
  const { wrongs } = requestOf({ ...emptyDraft, strategy: "task" });
  expect(Object.keys(wrongs ?? {}).sort()).toEqual(["directory", "strategy.file"]);
});

test("an address may name the vault and the task", () => {
  const query = new URLSearchParams({ vault: "/v", file: "/Specs/a.md" });
  expect(draftIn(query)).toEqual({ strategy: "task", directory: "/v", file: "/Specs/a.md" });
  expect(draftIn(new URLSearchParams({ from: "x" }))).toBeNull();
});
