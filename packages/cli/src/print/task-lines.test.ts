import { describe, expect, test } from "bun:test";
import { type EventBody, foldAll, type StoredEvent } from "@ralpher/contract";
import { ending } from "./ending.ts";
import { eventLines } from "./event-lines.ts";
import { failing, handedOff, look, step, taskEvents, taskView } from "./task-view.fixture.ts";
import { watchLine } from "./task-watch.ts";
import { printable } from "./words.ts";

/** What is printed of the last of these events. */
function told(...bodies: EventBody[]): string {
  const events = taskEvents(bodies);
  const view = foldAll(null, events);
  const last = events.at(-1) as StoredEvent;
  if (view === null) throw new Error("no view");
  return printable(eventLines(last, view).join("\n"));
}

const upTo = (type: EventBody["type"]) => failing.slice(0, failing.findIndex((event) => event.type === type) + 1);

describe("a task on the terminal", () => {
  test("the first look tells which task it is and how far; where it is worked on in place, no branch is told", () => {
    expect(told()).toBe("Task   Log in /Specs/auth_feature/tasks.md\n       1 of 2 steps done");
    const [workspace] = taskEvents([]).filter(({ type }) => type === "loop.workspace.ready");
    expect(eventLines(workspace as StoredEvent, taskView([]))).toEqual([]);
  });

  test("[T-CLI-1] an iteration begins with the counters against their limits, and its step", () => {
    expect(told(...upTo("loop.iteration.start"))).toBe("\nIteration 1/100 · failures 0/3 · 1 of 2 steps done");
    expect(told(...upTo("loop.step.begun"))).toBe("  ▶ 1.2 Write the form");
    const deep = step("Half", { path: ["1. Prepare", "The form"] });
    expect(told({ type: "loop.step.begun", iteration: 1, step: deep })).toBe("  ▶ Half\n    1. Prepare › The form");
  });

  test("what the agent says it did is told with its result", () => {
    expect(told(...upTo("loop.step.reported"))).toBe("  ✓ write_code: The form is there.");
    const report = {
      result: "partial" as const,
      action: "write_code",
      summary: "Half of it.",
      next_action: "the rest",
    };
    expect(told({ type: "loop.step.reported", iteration: 1, report })).toBe(
      "  ◐ write_code: partial: Half of it.\n    next: the rest",
    );
    const failed = {
      result: "failure" as const,
      action: "run_tests",
      summary: "It does not run.",
      error: "no bun here",
    };
    expect(told({ type: "loop.step.reported", iteration: 1, report: failed })).toBe(
      "  ✗ run_tests: failure: It does not run.\n    no bun here",
    );
  });

  test("a check that did not pass is told once, with how it ended and the end of what it printed", () => {
    expect(told(...upTo("loop.step.verified"))).toBe(
      "  ✗ the check did not pass: bun test: it ended with 1\n    1 pass\n    1 fail",
    );
    expect(told(...upTo("loop.error"))).toBe("");
    const output = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
    const check = { command: "bun test", passed: false, outcome: "it ended with 1", output };
    const lines = told({ type: "loop.step.verified", iteration: 1, check }).split("\n");
    expect(lines.slice(1, 3)).toEqual(["    …", "    line 33"]);
    expect(lines.at(-1)).toBe("    line 39");
  });

  test("a failure of the agent itself is told as of any loop", () => {
    expect(told(...upTo("loop.step.begun"), { type: "loop.error", iteration: 1, error: "no key" })).toBe("  ✗ no key");
  });

  test("an iteration ends with how it went, and a wait says why", () => {
    expect(told(...failing)).toBe("  failed after 0 ms · failures 1/3");
    const reason = `failed (1 of 3 in a row): ${"x".repeat(100)}`;
    const wait = told(...failing, { type: "loop.waiting", until: "2026-01-01T00:00:10.000Z", reason });
    expect(wait).toStartWith("  waits 10.0 s: failed (1 of 3 in a row): xxx");
    expect(wait.length).toBeLessThanOrEqual(80);
  });

  test("later looks tell what a human did: a stop hook, a moved file, words for the agent", () => {
    const later = (event: Partial<Extract<EventBody, { type: "loop.vault.looked" }>>) =>
      told(...failing, { type: "loop.vault.looked", look: null, steps: null, toggled: [], ...event });
    expect(later({})).toBe("");
    const stopHook = { path: "/Control/STOP_AUTONOMOUS_LOOP", reason: "\x1b[31mlunch", frontMatter: {} };
    expect(later({ look: look({ stopHook }) })).toBe("■ /Control/STOP_AUTONOMOUS_LOOP stops it: lunch");
    expect(later({ look: look({ place: "rejected", path: "/Rejected/tasks.md" }) })).toBe(
      "! the task was called off: /Rejected/tasks.md",
    );
    const injection = {
      text: "# Reinjected Prompt\n\n## Additional Context\n\nUse OAuth2",
      priority: "normal",
      sha: "s",
    };
    expect(later({ injection })).toBe("› told next: Use OAuth2");
  });

  test("no line is wider than 80 columns, however long the words", () => {
    const long = "many words that go on ".repeat(30);
    const report = { result: "failure" as const, action: "x".repeat(80), summary: long, error: "y".repeat(300) };
    const check = { command: long, passed: false, outcome: long, output: long };
    const wide = [
      told({ type: "loop.step.begun", iteration: 1, step: step(long, { path: [long, long] }) }),
      told({ type: "loop.step.reported", iteration: 1, report }),
      told({ type: "loop.step.verified", iteration: 1, check }),
    ].flatMap((text) => text.split("\n"));
    expect(wide.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
  });
});

describe("a task at rest", () => {
  test("one that asks says where, what each choice does, and the command of one", () => {
    const text = printable(ending(taskView(handedOff)).join("\n"));
    for (const part of [
      "✗ failed: 3 steps in a row failed",
      "iterations 1/100 · failures 1/3 · 1 of 2 steps done",
      "It asks you: /home/ada/notes/Needs_Action/2026-01-01_error_report_auth_feature.md",
      "  retry      the same step once more, with the failures counted from zero",
      "  skip_step  tick this step as it is, and go on with the next",
      "ralpher task choose 3f2a1b2c retry",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("going on names the limits that were reached", () => {
    const goOn = (bodies: EventBody[], settings?: { maxIterations?: number }) =>
      printable(ending(taskView(bodies, settings)).at(-1) ?? "").replace(/^Go on: +/, "");
    expect(goOn([{ type: "loop.paused" }])).toBe("ralpher task resume 3f2a1b2c");
    const usedUp: EventBody[] = [...failing, { type: "loop.max_iterations", reason: "its one iteration was used" }];
    expect(goOn(usedUp, { maxIterations: 1 })).toBe("ralpher task resume 3f2a1b2c --max-iterations 11");
    const thrice = [1, 2, 3].map(
      (iteration): EventBody => ({ type: "loop.iteration.end", iteration, outcome: "error" }),
    );
    const begun = (at: number): EventBody => ({ type: "loop.iteration.start", iteration: at + 1 });
    const failed = thrice.flatMap((end, index) => [begun(index), end]);
    expect(goOn([...failed, { type: "loop.failed", reason: "3 failed" }])).toBe(
      "ralpher task resume 3f2a1b2c --reset-failures",
    );
  });

  test("one that is done says where its file and its report are", () => {
    const filed: EventBody[] = [
      { type: "loop.task.filed", path: "/Done/auth_feature/tasks.md", place: "done", report: "/Logs/r.md" },
      { type: "loop.completed", totalIterations: 2 },
    ];
    const text = printable(ending(taskView(filed)).join("\n"));
    expect(text).toContain("Its file:      /home/ada/notes/Done/auth_feature/tasks.md");
    expect(text).toContain("Report:        /home/ada/notes/Logs/r.md");
  });

  test("one that nobody runs is said to be interrupted", () => {
    const text = printable(ending(taskView(upTo("loop.step.begun")), false).join("\n"));
    expect(text).toContain("‖ interrupted");
    expect(text).toContain("ralpher task resume 3f2a1b2c");
  });
});

test("a watch tells a line of each event that counts, and nothing of the others", () => {
  const lines = handedOff.map((_, index) => {
    const events = taskEvents(handedOff.slice(0, index + 1));
    const view = foldAll(null, events);
    return view === null ? "" : printable(watchLine(events.at(-1) as StoredEvent, view) ?? "");
  });
  expect(lines.filter((line) => line !== "")).toEqual([
    "▶ 1.2 Write the form 1/100 · failures 0/3",
    "✗ check bun test: it ended with 1",
    "? asks you: /Needs_Action/2026-01-01_error_report_auth_feature.md",
    "✗ failed: 3 steps in a row failed",
  ]);
});
