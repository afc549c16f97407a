import type { Ask, LoopView, OpenIteration, Step } from "@ralpher/contract";
import { openIteration } from "@ralpher/contract";
import { ralph } from "./strategies/ralph/ralph.ts";
import { soda } from "./strategies/soda/soda.ts";
import { task } from "./strategies/task/task.ts";
import type { Strategy } from "./strategy.ts";

const strategies: Record<LoopView["config"]["strategy"]["type"], Strategy> = { ralph, soda, task };

/**
 * The next thing to do for a loop, or null when it rests. Pure: view and time decide, so that a new process goes on
 * where a dead one stopped by asking again.
 */
export function nextStep(view: LoopView, now: Date): Step | null {
  const { phase } = view;
  switch (phase.status) {
    case "starting":
      // A loop that is to stop before it has begun needs no workspace first.
      if (phase.ask?.to === "stop") return finishStopped(phase.ask);
      return strategyOf(view).prepare(view) ?? { do: "workspace" };
    case "running":
      return within(view, phase.open, phase.ask);
    case "waiting":
      return between(view, phase.ask, now);
    default:
      return null;
  }
}

function within(view: LoopView, open: OpenIteration, ask: Ask | null): Step {
  const strategy = strategyOf(view);
  if (ask !== null && (strategy.stepwise || open.turn.state === "interrupted")) {
    return ask.to === "pause" ? { do: "pause" } : strategy.putAway(view, open, "interrupted");
  }
  return strategy.advance(view, open);
}

function between(view: LoopView, ask: Ask | null, now: Date): Step {
  const strategy = strategyOf(view);
  const look = strategy.look(view, now);
  if (look !== null) return look;
  const ending = strategy.findEnding(view, now);
  if (ending !== null) return { do: "finish", ...ending };
  if (ask?.to === "stop") return finishStopped(ask);
  if (ask?.to === "pause") return { do: "pause" };
  const rest = strategy.findRest(view, now);
  if (rest !== null) return { do: "wait", until: rest.until.toISOString(), reason: rest.reason };
  return strategy.begin(view);
}

function strategyOf({ config }: LoopView): Strategy {
  return strategies[config.strategy.type];
}

function finishStopped(ask: Extract<Ask, { to: "stop" }>): Step {
  return { do: "finish", as: "stopped", reason: ask.reason };
}

/** Is the turn of this loop under way, as far as the journal knows? */
export function turnIsRunning(view: LoopView): boolean {
  return view.phase.status === "running" && openIteration(view)?.turn.state === "running";
}
