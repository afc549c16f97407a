import { describe, expect, test } from "bun:test";
import { isRead, type LoopSummary, toSummary } from "@ralpher/contract";
import { historyLines } from "./soda-history.ts";
import { claimLines } from "./soda-sense.ts";
import { type RunStatus, statusLines } from "./soda-status.ts";
import { claims, sodaView, usage } from "./soda-view.fixture.ts";
import { printable } from "./words.ts";

const plain = (lines: string[]) => printable(lines.join("\n"));
const work = isRead(claims.work_state) ? claims.work_state : null;
const running: RunStatus = {
  spec: { path: "/work/greeter/Sodafile", title: "Greeter" },
  phase: "orient",
  criteria: {
    iteration: 1,
    satisfied: 1,
    all: 2,
    list: [
      { criterion: "greets by name", satisfied: true, evidence: [] },
      { criterion: "greets in French", satisfied: false, evidence: [] },
    ],
  },
  tasks:
    work?.root == null ? null : { root: work.root, open: work.open, blocked: work.blocked, closed: work.closed.length },
  waitsFor: null,
  interrupted: false,
  summary: null,
  next: [{ what: "Watch it", command: "soda resume 3f2a1b2c" }],
};

describe("soda status", () => {
  test("[L-CLI-3] shows state, phase, branch, criteria, tasks with what blocks them, and what to do next", () => {
    const text = plain(statusLines(sodaView([]), running));
    for (const line of [
      "3f2a1b2c · ● running · iteration 1 of at most 20 · ORIENT",
      "Branch     soda/greeter → main",
      "Criteria   1 of 2 criteria satisfied, as judged in iteration 1\n  ✓ greets by name\n  ✗ greets in French",
      "Tasks      2 open (1 blocked), 1 closed, below app-root\n  ○ app-1 Greet by name\n  ⊘ app-2 Greet in French\n    nobody said which French",
      "Watch it:      soda resume 3f2a1b2c",
    ]) {
      expect(text).toContain(line);
    }
  });

  test("a run that nobody runs is interrupted, whatever it was at", () => {
    const text = plain(statusLines(sodaView([]), { ...running, interrupted: true, waitsFor: "somebody who runs it" }));
    expect(text).toContain("‖ interrupted");
    expect(text).toContain("Waits for  somebody who runs it");
  });

  test("before anything was judged it says so", () => {
    const text = plain(statusLines(sodaView([]), { ...running, criteria: null, tasks: null }));
    expect(text).toContain("Criteria   not judged yet");
    expect(text).not.toContain("Tasks");
  });
});

test("[L-CLI-4] soda history shows runs with their iterations: intent, decision, tasks, duration and cost", () => {
  const run: LoopSummary = toSummary(sodaView([]));
  const iteration = {
    iteration: 1,
    intent: "lay the ground",
    decision: "CONTINUE" as const,
    reason: null,
    outcome: "continue" as const,
    criteria: [0, 2] as [number, number],
    tasks: [{ id: "app-0", title: "Lay the ground", outcome: "completed" as const, reason: null }],
    commits: 1,
    conflict: ["a.ts"],
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 3_000,
    usage,
  };
  const text = plain(historyLines(run, [iteration]));
  expect(text).toContain("3f2a1b2c  ● running  Greeter");
  expect(text).toContain("   1  CONTINUE  lay the ground");
  expect(text).toContain("0 of 2 criteria · 1 commit · 3.0 s · 1.2 k in, 300 out, $0.0500");
  expect(text).toContain("✓ app-0 Lay the ground");
  expect(text).toContain("! conflict in a.ts");
  const failed = { ...iteration, outcome: "error" as const, reason: "the agent crashed" };
  expect(plain(historyLines(run, [failed]))).toContain("   1  FAILED  lay the ground\n      the agent crashed");
});

test("[S-OUT-1, S-OUT-3] soda sense shows every part, a part that failed with its reason", () => {
  const text = plain(claimLines({ ...claims, survey: { error: "not allowed" } }));
  for (const line of [
    "Claims for iteration 2",
    "  on soda/greeter · 0 staged · 2 not staged",
    "    hello.txt +3 −1",
    "✗ could not be read: not allowed",
    "    ⊘ app-2 P2 Greet in French\n      nobody said which French",
    "    1  lay the ground: CONTINUE; 1 tasks completed, 0 blocked",
    "Human input\n  none",
    "  - one",
  ]) {
    expect(text).toContain(line);
  }
});
