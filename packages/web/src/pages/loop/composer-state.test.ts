import { expect, test } from "bun:test";
import { blankSoda, foldAll, type LoopView, type StoredEvent } from "@ralpher/contract";
import { config, stored, story } from "../../../test/events.ts";
import { composerOf } from "./composer-state.ts";
import { changesOf, formOf } from "./edit-form.ts";
import { offeredActions } from "./offered-actions.ts";
import { hrefInLine, hrefOf, tabOf, tabsOf } from "./tabs.ts";

function viewOf(...more: StoredEvent[]): LoopView {
  const view = foldAll(null, [...story(), ...more]);
  if (view === null) throw new Error("the story makes a loop");
  return view;
}
const usage = { inputTokens: null, outputTokens: null, costUsd: null };

test("[R-WEB-3] a working agent can be spoken to now or for the next iteration", () => {
  expect(composerOf(viewOf())).toMatchObject({ send: "For the next iteration", other: { how: "now" } });
});

test("an iteration whose turn is over cannot be interrupted any more", () => {
  const over = viewOf(stored(30, { type: "loop.turn.end", iteration: 2, promised: false, usage }));
  expect(composerOf(over)?.other).toBeNull();
});

test("[R-WEB-3] a loop at rest reads it when it goes on, which can be at once", () => {
  const stopped = viewOf(stored(30, { type: "loop.stopped", reason: "by hand" }));
  expect(composerOf(stopped)).toMatchObject({ hint: "It is read at the next start.", other: { how: "go-on" } });
  const paused = viewOf(stored(30, { type: "loop.paused" }));
  expect(composerOf(paused)?.other?.label).toBe("Send and resume");
});

test("[L-HUM-1] a SODA loop that is stuck goes on with the answer; without iterations left it needs more of them first", () => {
  const stuck = { ...viewOf(stored(30, { type: "loop.stuck", reason: "no token" })), soda: blankSoda };
  expect(composerOf(stuck)).toMatchObject({ send: "Answer", other: null });
  expect(offeredActions(stuck)[0]?.name).toBe("start");
  const used = { ...stuck, config: { ...stuck.config, maxIterations: stuck.iteration } };
  expect(composerOf(used)?.send).toBe("Send");
  expect(offeredActions(used)[0]?.name).toBe("extend");
});

test("[R-WEB-5] a SODA loop begins with its own tab; a place in the log leads to the log", () => {
  const soda = { type: "soda", spec: "Sodafile", testTimeoutSeconds: 60 } as const;
  const tabs = tabsOf({ ...viewOf(), config: { ...config, strategy: soda } });
  expect(tabs).toEqual(["soda", "log", "changes", "spec", "work-items", "iterations", "git"]);
  expect([tabOf(undefined, tabs), tabOf("log", tabs), tabOf(undefined, tabs, "line=3")]).toEqual([
    "soda",
    "log",
    "log",
  ]);
  expect([hrefInLine("x", "soda", tabs), hrefInLine("x", "log", tabs)]).toEqual(["/x", "/x/log"]);
});

test("a loop that is over hears nothing", () => {
  expect(composerOf(viewOf(stored(30, { type: "loop.discarded" })))).toBeNull();
  expect(composerOf(viewOf(stored(30, { type: "loop.accepted", mergeCommit: "c" })))).toBeNull();
});

test("[R-WEB-5] each tab has an address of its own, and an address that names none is the log's", () => {
  const tabs = tabsOf(viewOf());
  for (const tab of tabs) expect(tabOf(hrefOf("1", tab).split("/")[2], tabs)).toBe(tab);
  expect(tabOf("nonsense", tabs)).toBe("log");
  expect(hrefOf("1", "changes", { commit: "abc" })).toBe("/1/changes?commit=abc");
});

test("[R-WEB-6] without git there are no tabs for it", () => {
  const plain = viewOf();
  expect(tabsOf({ ...plain, workspace: { kind: "plain", directory: "/x" } })).toEqual([
    "log",
    "plan",
    "status",
    "iterations",
  ]);
});

test("an edit sends only what changed, and says what cannot be sent", () => {
  const form = formOf({ ...config, maxIterations: 5 });
  expect(changesOf(form, form)).toEqual({ changes: {}, problems: {} });
  expect(changesOf(form, { ...form, maxIterations: "", model: "a/b/c" }).changes).toEqual({
    maxIterations: null,
    model: { providerID: "a", modelID: "b/c" },
  });
  expect(Object.keys(changesOf(form, { ...form, maxIterations: "0", model: "x", prompt: " " }).problems)).toEqual([
    "prompt",
    "maxIterations",
    "model",
  ]);
});
