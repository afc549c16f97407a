import { describe, expect, test } from "bun:test";
import { type EventBody, foldAll, type StoredEvent, type TestResult } from "@ralpher/contract";
import { eventLines } from "./event-lines.ts";
import { claims, orientation, sodaEvents, usage } from "./soda-view.fixture.ts";
import { printable } from "./words.ts";

/** What is printed of the last of these events. */
function told(...bodies: EventBody[]): string {
  const events = sodaEvents(bodies);
  const view = foldAll(null, events);
  const last = events.at(-1) as StoredEvent;
  if (view === null) throw new Error("no view");
  return printable(eventLines(last, view).join("\n"));
}

const tested = (passed: number, failed: number, failing: string[] = []): TestResult => ({
  kind: "ran",
  command: "bun test",
  exitCode: failed > 0 ? 1 : 0,
  passed,
  failed,
  failing,
  tail: "",
  durationMs: 1_200,
});
const oriented: EventBody = { type: "loop.oriented", iteration: 1, orientation: orientation(), pattern: "narrow" };
const planned: EventBody = {
  type: "loop.planned",
  iteration: 1,
  plan: { intent: "greet", approach: "test first", tasks: [{ id: "app-1", title: "Greet by name" }] },
  actionable: true,
  changes: [{ id: "app-1", title: "Greet by name", what: "created", at: "t" }],
  refused: [{ what: "close app-9", why: "there is no such task in this milestone" }],
};
const reported: EventBody = {
  type: "loop.task.reported",
  iteration: 1,
  taskId: "app-1",
  report: { outcome: "completed", summary: "it greets", new_subtasks: [], learnings: [] },
};
const turn = (role: "orient" | "executor", taskId?: string): EventBody => ({
  type: "loop.turn.start",
  iteration: 1,
  attempt: 1,
  prompt: "",
  role,
  ...(taskId === undefined ? {} : { taskId }),
});

describe("a SODA run on the terminal", () => {
  test("[L-ITER-1] SENSE is the claims in a line, broken between them", () => {
    const lines = told({ type: "loop.sensed", iteration: 1, claims, said: [], cursor: "" }).split("\n");
    expect(lines).toEqual([
      "SENSE   on soda/greeter · 1 commit · 1 file +3 −1 · 2 uncommitted",
      "        tests: bun test · 2 open tasks (1 blocked) · 1 closed · 2 learnings",
    ]);
  });

  test("[L-HUM-4, S-OUT-3] what humans said is shown in words, and a source that failed with its reason", () => {
    const heard = {
      ...claims,
      code_state: { error: "git is not there" },
      human_input: {
        items: [{ type: "comment" as const, content: "Use \x1b[31mParisian", task_id: "app-2", timestamp: "t" }],
        spec_modified: false,
      },
    };
    const text = told({ type: "loop.sensed", iteration: 1, claims: heard, said: [], cursor: "" });
    expect(text).toContain("SENSE   git could not be read");
    expect(text).toContain("› a comment on app-2: Use Parisian");
    expect(text).toContain("✗ code_state: git is not there");
  });

  test("[L-ITER-2, O-4] ORIENT is a checklist with what each verdict stands on, and the gaps", () => {
    const text = told({
      type: "loop.oriented",
      iteration: 1,
      pattern: "narrow",
      orientation: orientation({
        criteria: [
          {
            criterion: "greets by name",
            satisfied: true,
            evidence: [{ file: "src/greet.ts", line: 12, test: "greets" }],
          },
          { criterion: "greets in French", satisfied: false, evidence: [{ output: "Hello" }], note: "English only" },
          { criterion: "greets politely", satisfied: "unverifiable", evidence: [] },
        ],
        gaps: [{ severity: "critical", description: "which French?" }],
      }),
    });
    expect(text.split("\n")).toEqual([
      "  Half of it is there.",
      "  ✓ greets by name",
      '    src/greet.ts:12, test "greets"',
      "  ✗ greets in French",
      "    Hello; English only",
      "  ? greets politely",
      "  1 of 3 criteria satisfied, confidence 0.90",
      "  critical: which French?",
    ]);
  });

  test("[O-5] changes of the work items are told, and refused ones with the reason", () => {
    expect(told(oriented, planned).split("\n")).toEqual([
      "  + app-1 Greet by name",
      "  ✗ refused: close app-9, for there is no such task in this milestone",
    ]);
  });

  test("[L-ITER-3] DECIDE goes with the plan, or with why a human is needed", () => {
    expect(told(oriented, planned, { type: "loop.decided", iteration: 1, decision: { outcome: "CONTINUE" } })).toBe(
      "\nDECIDE  CONTINUE\n  plan greet\n       test first\n  1. app-1 Greet by name",
    );
    expect(
      told(oriented, { type: "loop.decided", iteration: 1, decision: { outcome: "STUCK", reason: "which French?" } }),
    ).toBe("\nDECIDE  STUCK\n  which French?");
  });

  test("[X-1, X-3] tests are told against the baseline", () => {
    const before: EventBody = { type: "loop.tested", iteration: 1, taskId: null, result: tested(3, 1, ["old"]) };
    expect(told(oriented, planned, before)).toBe(
      "  tests before any work: 3 passed, 1 failed (bun test, 1.2 s)\n    failing before: old",
    );
    const after = (failing: string[]): EventBody => ({
      type: "loop.tested",
      iteration: 1,
      taskId: "app-1",
      result: tested(4, 1 + failing.length, failing),
      regression: { tests: failing, note: null },
    });
    expect(told(oriented, planned, before, after([]))).toEndWith("nothing got worse");
    const many = told(oriented, planned, before, after(["a", "b", "c", "d", "e", "f", "g"]));
    expect(many).toContain("✗ newly failing: e\n");
    expect(many).toEndWith("✗ and 2 more");
    expect(told({ type: "loop.tested", iteration: 1, taskId: null, result: { kind: "none" } })).toContain(
      "none to run",
    );
    const late = { ...tested(0, 0), passed: null, failed: null, exitCode: null } as TestResult;
    expect(told({ type: "loop.tested", iteration: 1, taskId: null, result: late })).toContain("took too long");
  });

  test("[X-2] a task is told from its executor to its outcome, a second round as one that mends", () => {
    expect(told(oriented, planned, turn("executor", "app-1"))).toBe("\n  ▶ app-1 Greet by name");
    expect(told(oriented, planned, reported, turn("executor", "app-1"))).toEndWith("round 2, to mend");
    type End = Extract<EventBody, { type: "loop.task.end" }>;
    const end = (more: Pick<End, "outcome"> & Partial<End>): EventBody => ({
      type: "loop.task.end",
      iteration: 1,
      taskId: "app-1",
      changes: [],
      learnings: [],
      ...more,
    });
    expect(told(oriented, planned, reported, end({ outcome: "completed", learnings: ["be brief"] }))).toBe(
      "  ✓ completed: it greets\n  learned: be brief",
    );
    expect(told(oriented, planned, reported, end({ outcome: "blocked", reason: "no key" }))).toBe(
      "  ⊘ blocked: no key",
    );
  });

  test("[X-7] a merge is told, and a conflict with its files", () => {
    const merge = { type: "loop.branch.merged" as const, iteration: 1, branch: "soda/iteration-1", changes: [] };
    expect(told(oriented, { ...merge, head: "0123456789" })).toBe("\n  merged into soda/greeter 01234567");
    const branched: EventBody = { type: "loop.branch.started", iteration: 1, branch: "soda/iteration-1", base: "b" };
    const saved: EventBody = { type: "loop.git.saved", iteration: 1, branch: "soda/iteration-1", head: "c" };
    expect(told(oriented, branched, saved, { ...merge, head: "0123456789" })).toContain("merged into soda/greeter");
    expect(told(oriented, branched, { ...merge, head: "b" })).toBe(
      "\n  nothing to merge: no commit was made on soda/iteration-1",
    );
    expect(told(oriented, { ...merge, head: null, conflict: ["a.ts", "b.ts"] })).toBe(
      "\n  ! conflict: soda/iteration-1 could not be merged into soda/greeter: a.ts, b.ts",
    );
  });

  test("an iteration ends with what it cost, and what all did", () => {
    const ended: EventBody[] = [
      turn("orient"),
      { type: "loop.turn.end", iteration: 1, promised: false, usage },
      { type: "loop.iteration.end", iteration: 1, outcome: "continue" },
    ];
    expect(told(...ended)).toBe(
      "\n  continue after 0 ms · tokens 1.2 k in, 300 out, $0.0500\n  in all 1.2 k in, 300 out, $0.0500",
    );
  });

  test("an answer in JSON is not shown as text, other words as one line", () => {
    const message = (content: string): EventBody => ({
      type: "loop.message",
      iteration: 1,
      message: { id: "m", role: "assistant", kind: "text", content },
    });
    expect(told(message('```json\n{"summary":"x"}\n```'))).toBe("");
    expect(told(message('{"summary":"x"}'))).toBe("");
    expect(told(message("\nI look.\nThen I judge."))).toBe("  I look.");
  });

  test("a spec that is changed later is told as changed", () => {
    const spec = { path: "/work/greeter/Sodafile", text: "# Other", sha: "o", title: "Other" };
    expect(told({ type: "loop.spec", spec })).toContain("The spec was changed");
  });

  test("no line is wider than 80 columns, however long the words", () => {
    const long = "many words that go on ".repeat(30);
    const word = "x".repeat(300);
    const wide = told({
      type: "loop.oriented",
      iteration: 1,
      pattern: "narrow",
      orientation: orientation({
        summary: long,
        criteria: [{ criterion: long, satisfied: true, evidence: [{ file: word, line: 1 }], note: long }],
        gaps: [{ severity: "major", description: word }],
      }),
    });
    expect(wide.split("\n").filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
  });
});
