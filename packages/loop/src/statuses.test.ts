import { expect, test } from "bun:test";
import { LoopStatus, toLoop } from "@ralpher/contract";
import { PaperLoop } from "../test/paper-loop.ts";

test("[R-RUN-7] a loop can be in each of the statuses, and is told so on the wire", () => {
  const seen = new Set<string>();
  const look = (loop: PaperLoop) => {
    const { state } = toLoop(loop.view);
    seen.add(LoopStatus.parse(state.status));
    return state.status;
  };
  const begun = (settings: ConstructorParameters<typeof PaperLoop>[0] = {}) => {
    const loop = new PaperLoop(settings);
    look(loop);
    loop.ask({ type: "start" });
    look(loop);
    loop.step();
    look(loop);
    return loop;
  };
  const done = begun();
  done.step("promise");
  look(done);
  done.run(() => "promise");
  look(done);
  done.happens({ type: "loop.accepted", mergeCommit: "0123abcd" });
  look(done);
  const held = begun();
  held.ask({ type: "pause" });
  held.run(() => "continue");
  look(held);
  held.ask({ type: "stop", reason: "enough" });
  held.run(() => "continue");
  look(held);
  held.happens({ type: "loop.discarded" });
  look(held);
  const used = begun({ maxIterations: 1 });
  used.run(() => "continue");
  look(used);
  const broken = begun({ failureThreshold: 1 });
  broken.run(() => ({ reason: "server", message: "overloaded" }));
  look(broken);
  const stuck = begun();
  stuck.happens({ type: "loop.stuck", reason: "which database?" });
  look(stuck);
  expect([...seen].toSorted()).toEqual([...LoopStatus.options].toSorted());
});
