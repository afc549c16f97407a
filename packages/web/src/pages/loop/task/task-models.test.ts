import { expect, test } from "bun:test";
import {
  type TaskConfig,
  TaskConfig as TaskConfigSchema,
  type TaskStep,
  type VaultLook,
  wholeLook,
} from "@ralpher/contract";
import { type Piece, piecesOf } from "./file-pieces.ts";
import { wordsOf as choiceWordsOf, sectionsOf } from "./hand-off-model.ts";
import { changesOf, wordsOf } from "./line-words.ts";
import { countedSteps, countSteps } from "./task-model.ts";

const step = (line: number, text: string, more: Partial<TaskStep> = {}): TaskStep => ({
  key: text.split("\n")[0] ?? "",
  text,
  path: [],
  twins: 1,
  line,
  depth: 0,
  done: false,
  isParent: false,
  verify: null,
  ...more,
});

const shapeOf = (pieces: Piece[]) =>
  pieces.map((piece) =>
    piece.kind === "text" ? piece.text.trim() : piece.steps.map(({ words, below }) => [words, below]),
  );

test("a task file is cut into Markdown and steps; what stands below a step belongs to it", () => {
  const text = [
    "---",
    "title: Log in",
    "---",
    "# Log in",
    "",
    "Why.",
    "",
    "- [ ] One (verify: true)",
    "  More of one.",
    "",
    "  - [x] Below",
    "",
    "- [ ] Two",
    "",
    "After.",
  ].join("\r\n");
  const steps = [
    step(8, "One\nMore of one.", { isParent: true }),
    step(11, "Below", { depth: 1, done: true }),
    step(13, "Two"),
  ];
  const { frontMatter, pieces } = piecesOf(text, steps);
  expect(frontMatter).toBe("title: Log in");
  expect(shapeOf(pieces)).toEqual([
    "# Log in\n\nWhy.",
    [
      ["One", "More of one."],
      ["Below", ""],
      ["Two", ""],
    ],
    "After.",
  ]);
  expect(shapeOf(piecesOf(text, steps, "Log in").pieces)[0]).toBe("Why.");
});

test("a file without boxes stays whole, and so does one whose steps are of another version of it", () => {
  const text = "# Back up\n\nEverything, twice.\n";
  expect(shapeOf(piecesOf(text, [step(1, text)]).pieces)).toEqual([text.trim()]);
  expect(shapeOf(piecesOf(text, [step(9, "gone")]).pieces)).toEqual([text.trim()]);
  expect(piecesOf("", []).pieces).toEqual([]);
});

test("comments are not shown, front matter that never ends is text", () => {
  expect(shapeOf(piecesOf("a <!-- b\nc --> d", []).pieces)).toEqual(["a  d"]);
  const { frontMatter, pieces } = piecesOf("---\ntitle: x\n", []);
  expect([frontMatter, pieces.length]).toEqual([null, 1]);
});

test("[T-END-3] a hand-off is told by its sections, without those that are buttons", () => {
  const text =
    "---\ntype: error_report\n---\n\n# Log in\n\n## What happened\n\nIt failed.\n\n## Last errors\n\n````\n## no heading\n```\n````\n\n## What next?\n\nTick one.\n\n<!-- ralpher:choices -->\n\n- [ ] **Try again** <!-- ralpher:retry -->\n\n## Or by hand\n\n```\nralpher task resume\n```\n\n## Empty\n";
  expect(sectionsOf(text)).toEqual([
    { title: "What happened", text: "It failed." },
    { title: "Last errors", text: "````\n## no heading\n```\n````" },
    { title: "Or by hand", text: "```\nralpher task resume\n```" },
  ]);
  expect(choiceWordsOf("retry", "stop_report").label).toBe("Resume");
  expect(choiceWordsOf("retry", "error_report").label).toBe("Try again");
});

const config: TaskConfig = TaskConfigSchema.parse({});
const look = (more: Partial<VaultLook> = {}): VaultLook => ({
  config,
  place: "open",
  path: "/Specs/a.md",
  title: "A",
  isDone: false,
  steps: [],
  counts: { done: 0, all: 3 },
  doubted: [],
  carried: {},
  isMarkDoubted: false,
  unreadable: null,
  stopHook: null,
  problems: [],
  ...more,
});

test("[T-END-4] a look at the vault tells what humans changed since the one before", () => {
  const hook = { path: "/Control/STOP", reason: "later", frontMatter: {} };
  const texts = (now: VaultLook, before: VaultLook | null) => changesOf(now, before).map(({ text }) => text);
  expect(texts(look(), look())).toEqual([]);
  expect(texts(look({ stopHook: hook }), look())).toEqual(["/Control/STOP: later"]);
  expect(texts(look(), look({ stopHook: hook }))).toEqual(["the stop hook is gone"]);
  expect(texts(look({ config: { ...config, max_iterations: 7 } }), look())).toEqual(["max_iterations: 100 → 7"]);
  expect(texts(look({ counts: { done: 0, all: 4 }, place: "rejected" }), look())).toEqual([
    "the file is now rejected",
    "4 steps now, 3 before",
  ]);
  const problem = { path: "/Control/c.yaml", line: 3, message: "no number" };
  expect(texts(look({ problems: [problem] }), null)).toEqual(["/Control/c.yaml, line 3: no number"]);
  expect(texts(look({ problems: [problem] }), look({ problems: [problem] }))).toEqual([]);
});

const line = (event: object, before: VaultLook | null = null) => {
  const { verb, text, meaning } = wordsOf(
    { loopId: "x", at: "2026-01-01T00:00:00.000Z", seq: 1, ...event } as never,
    before,
  );
  return [verb, text, meaning];
};

test("every event of a task has its words in the log", () => {
  const check = { command: "bun test", passed: false, outcome: "it ended with 1", output: "" };
  expect(line({ type: "loop.step.verified", check })).toEqual(["Check failed", "bun test: it ended with 1", "bad"]);
  expect(line({ type: "loop.step.verified", check: { ...check, passed: true } })[2]).toBe("good");
  const report = { result: "partial", action: "write", summary: "Half of it." };
  expect(line({ type: "loop.step.reported", report })).toEqual(["Partly done", "Half of it.", "needs-you"]);
  expect(line({ type: "loop.step.reported", report: { ...report, result: "failure", error: "No key." } })).toEqual([
    "Failed",
    "No key.",
    "bad",
  ]);
  expect(line({ type: "loop.step.ticked", outcome: "missing" })[0]).toBe("Not ticked");
  expect(line({ type: "loop.handed_off", path: "/N/a.md", choices: [] })).toEqual(["Asks you", "/N/a.md", "needs-you"]);
  expect(line({ type: "loop.chosen", choice: "skip_step", path: null })[1]).toBe("Skip this step");
  expect(line({ type: "loop.task.filed", path: "/Done/a.md", place: "done", report: null })[2]).toBe("good");
  const injection = { text: "\nUse OAuth2.\n", priority: "high", sha: "1" };
  expect(line({ type: "loop.vault.looked", look: null, injection })).toEqual([
    "Put down by you",
    "Use OAuth2.",
    "needs-you",
  ]);
  const stopHook = { path: "/C/S", reason: "later", frontMatter: {} };
  expect(line({ type: "loop.vault.looked", ...wholeLook(look({ stopHook })) }, look())).toEqual([
    "Seen",
    "/C/S: later",
    "needs-you",
  ]);
});

test("a box that was ticked before its check was run does not make the step done", () => {
  const steps = [step(1, "One", { done: true }), step(2, "Two", { done: true })];
  expect(countedSteps(["Two"], steps).map(({ done }) => done)).toEqual([true, false]);
  expect(countedSteps([], steps)).toBe(steps);
  expect(countSteps(countedSteps(["Two"], [...steps, step(3, "All", { isParent: true })]))).toEqual({
    done: 1,
    all: 2,
  });
});
