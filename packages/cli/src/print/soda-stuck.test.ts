import { describe, expect, test } from "bun:test";
import type { EventBody, LoopView, SodaIteration } from "@ralpher/contract";
import { ending } from "./ending.ts";
import { stuckLines, stuckOf } from "./soda-stuck.ts";
import { claims, orientation, sodaView } from "./soda-view.fixture.ts";
import { printable } from "./words.ts";

const reason = "which French?; no README";
const stuckEnd = (why: string): EventBody[] => [
  { type: "loop.decided", iteration: 1, decision: { outcome: "STUCK", reason: why } },
  { type: "loop.iteration.end", iteration: 1, outcome: "stuck" },
  { type: "loop.stuck", reason: why },
];
const gaps = [
  { severity: "minor" as const, description: "no README" },
  { severity: "critical" as const, description: "which French?" },
];
const iteration = {
  decision: { outcome: "STUCK", reason },
  orientation: orientation({ gaps }),
} as SodaIteration;
const text = (view: LoopView, waiting: boolean) =>
  printable(stuckLines(view, stuckOf(reason, iteration, claims), waiting).join("\n"));

describe("a run that is stuck", () => {
  test("[L-HUM-1] says in full what is needed, the worst first, which tasks are blocked, and how to help", () => {
    const lines = text(sodaView(stuckEnd(reason)), true).split("\n");
    expect(lines.slice(1, 5)).toEqual([
      "? STUCK: it needs a human",
      "  which French?",
      "  no README",
      "  app-2 Greet in French is blocked: nobody said which French",
    ]);
    expect(lines).toContain('Answer:        soda answer "…" --run 3f2a1b2c');
    expect(lines).toContain('or comment:    trc comment app-2 "…"');
    expect(lines).toContain("or change:     /work/greeter/Sodafile");
    expect(lines.at(-1)).toContain("goes on by itself");
  });

  test("nobody waits: it says how to go on", () => {
    const lines = text(sodaView(stuckEnd(reason)), false);
    expect(lines).toEndWith("Then go on:    soda resume 3f2a1b2c");
    expect(lines).not.toContain("by itself");
  });

  test("[L-LIM-1] that has used its iterations is helped by more of them, and by nothing else", () => {
    const why = "its one iteration was used";
    const view = sodaView(stuckEnd(why), { maxIterations: 1 });
    expect(stuckOf(why, iteration, null)).toEqual({ needs: [why], blocked: [] });
    const lines = printable(stuckLines(view, stuckOf(why, iteration, null), false).join("\n"));
    expect(lines).toEndWith("Go on:         soda resume 3f2a1b2c --max-iterations 11");
    expect(lines).not.toContain("soda answer");
  });

  test("a run that is done is told with its own commands", () => {
    const done = sodaView([
      { type: "loop.iteration.end", iteration: 1, outcome: "complete" },
      { type: "loop.completed", totalIterations: 1 },
    ]);
    const lines = printable(ending(done).join("\n"));
    expect(lines).toContain("✓ completed: every acceptance criterion is satisfied");
    expect(lines).toContain("soda pr --run 3f2a1b2c");
  });

  test("a run whose process is gone says how to take it up", () => {
    expect(printable(ending(sodaView([]), false).join("\n"))).toContain("Go on:         soda resume 3f2a1b2c");
  });
});
