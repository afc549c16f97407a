import { describe, expect, test } from "bun:test";
import { isFault } from "@ralpher/contract";
import { openGround, openLab, type Play, said } from "../test/lab.ts";
import { PaperLoop } from "../test/paper-loop.ts";

const codeOf = (work: () => unknown) => {
  try {
    work();
    return "no fault";
  } catch (error) {
    return isFault(error) ? error.code : error;
  }
};

function started(settings: ConstructorParameters<typeof PaperLoop>[0] = {}) {
  const loop = new PaperLoop(settings);
  loop.ask({ type: "start" });
  loop.step();
  return loop;
}

describe("what a human says to a loop", () => {
  test("is in the prompt of the next turn, and only there", () => {
    const loop = started();
    loop.ask({ type: "say", text: "Use tabs." });
    expect(loop.next()).toMatchObject({ do: "turn", prompt: expect.stringContaining("Use tabs.") });
    loop.step();
    expect(loop.view.said).toEqual([]);
    while (loop.next()?.do !== "turn") loop.step();
    expect(loop.next()).not.toMatchObject({ prompt: expect.stringContaining("Use tabs.") });
    expect(loop.view.recent[0]?.said).toBe(1);
  });

  test("is said again when the turn that knew it failed or was interrupted", () => {
    const loop = started();
    loop.ask({ type: "say", text: "Use tabs." });
    loop.step({ reason: "server", message: "overloaded" });
    expect(loop.view.said).toMatchObject([{ text: "Use tabs.", told: true }]);
    while (loop.next()?.do !== "turn") {
      loop.step();
      loop.now = new Date(loop.now.getTime() + 3_600_000);
    }
    loop.step("interrupted");
    expect(loop.next()).toMatchObject({ do: "turn", attempt: 2, prompt: expect.stringContaining("Use tabs.") });
  });

  test("keeps a loop from ending with a promise that did not know it", () => {
    const loop = started();
    const { iteration } = loop.view;
    loop.step("promise");
    loop.ask({ type: "say", text: "And the docs?" });
    while (loop.next()?.do !== "turn") loop.step();
    expect(loop.view.iteration).toBe(iteration + 1);
    loop.run(() => "promise");
    expect(loop.view.phase.status).toBe("completed");
    expect(loop.view.iteration).toBe(2);
  });

  test("can be taken back until a turn began with it", () => {
    const loop = started();
    loop.ask({ type: "say", text: "one" });
    loop.ask({ type: "say", text: "two" });
    const [one] = loop.view.said;
    loop.ask({ type: "unsay", seq: one?.seq ?? 0 });
    expect(loop.view.said.map(({ text }) => text)).toEqual(["two"]);
    expect(codeOf(() => loop.ask({ type: "unsay", seq: 9999 }))).toBe("not_found");
    const [two] = loop.view.said;
    loop.step({ reason: "server", message: "overloaded" });
    expect(codeOf(() => loop.ask({ type: "unsay", seq: two?.seq ?? 0 }))).toBe("illegal_transition");
  });

  test("waits for the next start when the loop rests, and fills up at some point", () => {
    const loop = new PaperLoop();
    for (let n = 0; n < 50; n++) loop.ask({ type: "say", text: `word ${n}` });
    expect(codeOf(() => loop.ask({ type: "say", text: "one more" }))).toBe("invalid_input");
    loop.ask({ type: "start" });
    loop.step();
    expect(loop.next()).toMatchObject({ do: "turn", prompt: expect.stringContaining("word 49") });
  });

  test("now: ends the turn under way, and the same iteration begins again with it", async () => {
    await using ground = await openGround();
    const begun = Promise.withResolvers<void>();
    const prompts: string[] = [];
    const play: Play = async function* ({ prompts: given, signal }) {
      prompts.push(given.at(-1) ?? "");
      if (prompts.length > 1) return said("Done.\n<promise>COMPLETE</promise>");
      yield { type: "tool.start", callId: "t", name: "bash", input: {} };
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      return { outcome: "failed", failure: { reason: "aborted", message: "ended" }, usage: said("").usage };
    };
    await using lab = openLab({ ...ground, play });
    const { id } = await lab.create(ground.repository, { start: {} });
    await begun.promise;
    await lab.hub.dispatch({ type: "say", loopId: id, text: "Stop digging there.", now: true });
    const view = await lab.atRest(id);
    expect(view).toMatchObject({ iteration: 1, phase: { status: "completed" }, said: [] });
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("Stop digging there.");
    expect(await lab.typesOf(id)).toContain("loop.interrupted");
  });

  test("a loop that is over does not listen", async () => {
    await using ground = await openGround();
    await using lab = openLab(ground);
    const { id } = await lab.create(ground.repository);
    await lab.hub.dispatch({ type: "discard", loopId: id });
    const refused = await lab.hub.dispatch({ type: "say", loopId: id, text: "hello" }).catch((error) => error);
    expect(isFault(refused, "illegal_transition")).toBe(true);
  });
});
