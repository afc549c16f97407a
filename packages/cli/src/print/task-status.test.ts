import { describe, expect, test } from "bun:test";
import { type LoopId, type TaskStep, toSummary, type VaultBoard } from "@ralpher/contract";
import { boardLines } from "./task-board.ts";
import { taskLoopLines } from "./task-loops.ts";
import { taskStatusLines } from "./task-status.ts";
import { detail, failing, handedOff, step, taskView } from "./task-view.fixture.ts";
import { printable } from "./words.ts";

const plain = (lines: string[]) => printable(lines.join("\n"));
const at = "2026-01-01T00:00:00.000Z";
const resting = { interrupted: false, next: [{ what: "Go on", command: "ralpher task resume 3f2a1b2c" }] };

describe("ralpher task status", () => {
  test("[T-CLI-1] shows state, counters against limits, the steps with their checks, and what to do next", () => {
    const text = plain(taskStatusLines(taskView(failing), detail(), resting));
    for (const part of [
      "Log in\n3f2a1b2c · ◔ waiting · iterations 1/100 · failures 1/3",
      "Vault      /home/ada/notes\nTask       /Specs/auth_feature/tasks.md",
      "Steps      1 of 2 steps done\n  ✓ 1.1 Read the rules\n  ○ 1.2 Write the form  bun test",
      "State      .state/autonomous_loop_state.json",
      "Go on:         ralpher task resume 3f2a1b2c",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("the step that is worked on is marked, with what its iteration came to so far", () => {
    const check = { command: "bun test", passed: false, outcome: "it ended with 1", output: "1 fail\n" };
    const working = detail({ working: "1.2 Write the form", check, timeoutAt: at });
    const text = plain(taskStatusLines(taskView(failing.slice(0, 4)), working, resting));
    expect(text).toContain("  ▶ 1.2 Write the form  bun test");
    expect(text).toContain("Check      ✗ bun test: it ended with 1\n  1 fail");
    expect(text).toContain("then its time is over");
  });

  test("what humans put down is shown: a stop hook, words that wait, and those that were told", () => {
    const steered = detail({
      stopHook: { path: "/Control/STOP_AUTONOMOUS_LOOP", reason: "lunch" },
      waitingPrompt: { text: "# Reinjected Prompt\n\nUse OAuth2", afterIteration: 5 },
      injected: { iteration: 0, at, text: "Be brief" },
      problems: [
        { path: "/Control/autonomous_loop_config.yaml", line: 3, column: 5, message: "max_iteration: unknown" },
      ],
    });
    const text = plain(taskStatusLines(taskView(failing), steered, resting));
    expect(text).toContain("Stop hook  /Control/STOP_AUTONOMOUS_LOOP: lunch");
    expect(text).toContain("To be told after iteration 5: Use OAuth2");
    expect(text).toContain("Was told   after iteration 0: Be brief");
    expect(text).toContain("! /Control/autonomous_loop_config.yaml:3:5: max_iteration: unknown");
  });

  test("the hand-off of one at rest is a question; one that was answered is a line", () => {
    const handOff = { kind: "error_report" as const, path: "/Needs_Action/x.md", at, choices: ["retry" as const] };
    const asked = detail({ handOff: { ...handOff, answer: null, text: "" } });
    const text = plain(taskStatusLines(taskView(handedOff), asked, resting));
    expect(text).toContain("It asks you: /home/ada/notes/Needs_Action/x.md");
    expect(text).toContain("Ended      3 steps in a row failed");
    const answered = detail({ handOff: { ...handOff, answer: "retry", text: null } });
    expect(plain(taskStatusLines(taskView(handedOff), answered, resting))).toContain(
      "Asked      /Needs_Action/x.md answered: retry",
    );
  });

  test("of a task with hundreds of steps, those around the open one are shown", () => {
    const steps = Array.from(
      { length: 500 },
      (_, index): TaskStep => ({
        ...step(`Step ${index}`, { done: index < 300 }),
        depth: 0,
      }),
    );
    const lines = plain(taskStatusLines(taskView(failing), detail({ steps }), resting)).split("\n");
    expect(lines).toContain("Steps      300 of 500 steps done");
    expect(lines).toContain("  ○ Step 300");
    expect(lines).toContain("  270 steps before these");
    expect(lines).toContain("  and 170 more");
  });

  test("a file that was moved, or is gone, is told", () => {
    const filed = detail({ place: "done", path: "/Done/auth_feature/tasks.md" });
    expect(plain(taskStatusLines(taskView([]), filed, resting))).toContain(
      "/Done/auth_feature/tasks.md (done; it was /Specs/auth_feature/tasks.md)",
    );
    const gone = detail({ place: "gone", path: null, text: null, steps: [] });
    expect(plain(taskStatusLines(taskView([]), gone, resting))).toContain("/Specs/auth_feature/tasks.md is gone");
  });

  test("without a task, each that was taken up is a line, and below it what it asks", () => {
    const loops = [toSummary(taskView(handedOff)), toSummary(taskView(failing))];
    const text = plain(taskLoopLines(loops, () => false)).split("\n");
    expect(text[0]).toStartWith("3f2a1b2c  ✗ failed       1/2  /Specs/auth_feature/tasks.md");
    expect(text[1]).toBe("          asks you: /Needs_Action/2026-01-01_error_report_auth_feature.md");
    expect(text[2]).toStartWith("3f2a1b2c  ‖ interrupted");
  });
});

describe("ralpher task list", () => {
  const board = (part: Partial<VaultBoard>): VaultBoard => ({
    root: "/home/ada/notes",
    config: null,
    open: [],
    done: [],
    rejected: [],
    needsAction: [],
    stopHook: null,
    waitingPrompt: null,
    isWatched: false,
    problems: [],
    ...part,
  });
  const loop = { id: taskView([]).id, status: "running" as const, iterations: 2 };

  test("[T-CLI-1] shows the tasks by folder with state and progress, and what is asked", () => {
    const task = {
      path: "/Specs/login.md",
      modifiedAt: at,
      title: "Log in",
      steps: { done: 1, all: 3 },
      loop,
      problem: null,
    };
    const text = plain(
      boardLines(
        board({
          open: [task, { ...task, path: "/Specs/other.md", loop: null, steps: null }],
          done: [{ ...task, path: "/Done/old.md", loop: { ...loop, status: "completed" } }],
          needsAction: [{ path: "/Needs_Action/x.md", modifiedAt: at, loop: { id: loop.id, title: "Log in" } }],
        }),
        (id: LoopId) => id === loop.id,
      ),
    );
    expect(text).toContain("Specs\n  3f2a1b2c  ● running  1/3  /Specs/login.md  Log in\n            –");
    expect(text).toContain("Needs_Action\n  ?  /Needs_Action/x.md  3f2a1b2c Log in");
    expect(text).toContain("Done\n  3f2a1b2c  ✓ completed  1/3  /Done/old.md  Log in");
    expect(text).not.toContain("Rejected");
  });

  test("a file that cannot be worked on says why below it, and one that was called off is not just stopped", () => {
    const task = {
      path: "/Specs/bad.md",
      modifiedAt: at,
      title: "bad.md",
      steps: null,
      loop: null,
      problem: "line 3: a tab",
    };
    const off = { ...task, path: "/Rejected/off.md", problem: null, loop: { ...loop, status: "stopped" as const } };
    const text = plain(boardLines(board({ open: [task], rejected: [off] }), () => false));
    expect(text).toContain("/Specs/bad.md  bad.md\n            ! line 3: a tab");
    expect(text).toContain("Rejected\n  3f2a1b2c  – called off");
  });

  test("an empty vault says what to do, one that is held says by what, and hundreds of old tasks are counted", () => {
    expect(plain(boardLines(board({}), () => false))).toEndWith(
      "There are no tasks yet. Put a Markdown file into /Specs.",
    );
    const done = Array.from({ length: 40 }, (_, index) => ({
      path: `/Done/${index}.md`,
      modifiedAt: at,
      title: "t",
      steps: null,
      loop: null,
      problem: null,
    }));
    const stopHook = { path: "/Control/STOP_AUTONOMOUS_LOOP", reason: "lunch" };
    const text = plain(boardLines(board({ done, stopHook, isWatched: true }), () => false));
    expect(text).toContain("■ /Control/STOP_AUTONOMOUS_LOOP stops all tasks: lunch");
    expect(text).toContain("watched");
    expect(text).toEndWith("  and 30 older ones; --json has all");
  });
});
