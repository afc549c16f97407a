import { describe, expect, test } from "bun:test";
import { foldAll, isFault, isUnderWay } from "@ralpher/contract";
import fc from "fast-check";
import { PaperLoop, type PaperTurn } from "../test/paper-loop.ts";
import { requireAllowed } from "./decide.ts";

type Ask = Parameters<PaperLoop["ask"]>[0];

const asks: fc.Arbitrary<Ask> = fc.constantFrom<Ask[]>(
  { type: "start" },
  { type: "pause" },
  { type: "pause", now: true },
  { type: "resume" },
  { type: "stop" },
  { type: "update", changes: { maxIterations: 7 } },
);
const turns: fc.Arbitrary<PaperTurn> = fc.constantFrom<PaperTurn[]>(
  "continue",
  "promise",
  "interrupted",
  { reason: "server", message: "500" },
  { reason: "rate_limited", message: "429" },
  { reason: "auth", message: "401" },
);
type Move = { ask: Ask } | { turn: PaperTurn };
const moves: fc.Arbitrary<Move[]> = fc.array(fc.oneof(fc.record({ ask: asks }), fc.record({ turn: turns })), {
  maxLength: 60,
});

function play(moves: Move[], check: (loop: PaperLoop) => void): PaperLoop {
  const loop = new PaperLoop();
  for (const move of moves) {
    if ("turn" in move) loop.step(move.turn);
    else {
      try {
        loop.ask(move.ask);
      } catch (error) {
        if (!isFault(error, "illegal_transition")) throw error;
      }
    }
    check(loop);
  }
  return loop;
}

describe("whatever is asked in whatever order", () => {
  test("a loop has a next step exactly while it is under way", () => {
    fc.assert(
      fc.property(moves, (list) => {
        play(list, (loop) => expect(loop.next() !== null).toBe(isUnderWay(loop.view)));
      }),
    );
  });

  test("the view is the fold of the events, from any point on", () => {
    fc.assert(
      fc.property(moves, fc.nat(), (list, cut) => {
        const { events, view } = play(list, () => {});
        const middle = cut % (events.length + 1);
        expect(foldAll(foldAll(null, events.slice(0, middle)), events.slice(middle))).toEqual(view);
        expect(foldAll(view, events)).toEqual(view);
      }),
    );
  });

  test("iterations are numbered without gap, begun once and ended once", () => {
    fc.assert(
      fc.property(moves, (list) => {
        const { events } = play(list, () => {});
        const of = (type: string) => events.flatMap((e) => (e.type === type && "iteration" in e ? [e.iteration] : []));
        const begun = of("loop.iteration.start");
        const ended = of("loop.iteration.end");
        expect(begun).toEqual(begun.map((_, i) => i + 1));
        expect(ended).toEqual(begun.slice(0, ended.length));
        expect(begun.length - ended.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("[R-RUN-1] a stop always leads to rest, whatever the agent does", () => {
    fc.assert(
      fc.property(moves, turns, (list, turn) => {
        const loop = play(list, () => {});
        if (!isUnderWay(loop.view) && loop.view.phase.status !== "paused") return;
        loop.ask({ type: "stop" });
        loop.run(() => (turn === "continue" ? "interrupted" : turn), 20);
        expect(isUnderWay(loop.view)).toBe(false);
        expect(loop.view.phase.status).not.toBe("paused");
      }),
    );
  });
});

describe("refusals", () => {
  test("[R-API-5] an illegal transition says what the loop is and what to do instead", () => {
    const loop = new PaperLoop();
    expect(() => loop.ask({ type: "pause" })).toThrow("A loop that is idle cannot pause.");
    expect(() => loop.ask({ type: "resume" })).toThrow("Start it instead.");
    expect(() => loop.ask({ type: "stop" })).toThrow("It is not under way.");
    loop.ask({ type: "start" });
    expect(() => loop.ask({ type: "start" })).toThrow("It is already under way.");
  });

  test("[R-RUN-3] a stop pattern that is none is refused, and nothing changes", () => {
    const loop = new PaperLoop();
    const before = loop.view;
    expect(() => loop.ask({ type: "update", changes: { stopPattern: "(" } })).toThrow("missing closing )");
    expect(loop.view).toBe(before);
  });

  test("[R-CRUD-4] changes are kept, null removes", () => {
    const loop = new PaperLoop({ maxIterations: 4 });
    loop.ask({ type: "update", changes: { prompt: "other", model: { providerID: "p", modelID: "m" } } });
    expect(loop.view.config).toMatchObject({
      prompt: "other",
      maxIterations: 4,
      model: { providerID: "p", modelID: "m" },
    });
    loop.ask({ type: "update", changes: { maxIterations: null, model: null } });
    expect(loop.view.config).not.toHaveProperty("maxIterations");
    expect(loop.view.config).not.toHaveProperty("model");
  });

  test("[R-GIT-5] a loop without a branch, or under way, cannot be accepted", () => {
    const loop = new PaperLoop();
    const accept = { type: "accept", loopId: loop.id } as const;
    expect(() => requireAllowed(loop.view, accept)).toThrow("no branch");
    loop.ask({ type: "start" });
    expect(() => requireAllowed(loop.view, accept)).toThrow("Stop it first");
    expect(() => requireAllowed(loop.view, { type: "delete", loopId: loop.id })).toThrow("Stop it first");
  });
});
