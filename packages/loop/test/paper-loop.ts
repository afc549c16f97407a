import {
  type DurableEvent,
  type EventBody,
  fold,
  LoopId,
  type LoopSettings,
  type LoopView,
  openIteration,
  LoopSettings as Settings,
  type Step,
  type StoredEvent,
  type TurnFailure,
  unknownUsage,
} from "@ralpher/contract";
import { decide, type RecordedCommand } from "../src/decide.ts";
import { nextStep } from "../src/next-step.ts";

/** How the agent does in a turn on paper. */
export type PaperTurn = "continue" | "promise" | "interrupted" | TurnFailure;

/**
 * A loop without ports: events are folded in memory and steps come out as told. For tests of what is decided, not of
 * how it is done.
 */
export class PaperLoop {
  readonly id = LoopId.parse("00000000-0000-4000-8000-000000000001");
  readonly events: StoredEvent[] = [];
  view: LoopView;
  now = new Date("2026-01-01T00:00:00.000Z");

  constructor(settings: Partial<LoopSettings> = {}) {
    const at = this.now.toISOString();
    const whole = Settings.parse({ name: "paper", directory: "/tmp/paper", prompt: "do it", ...settings });
    this.view = this.#fold({ type: "loop.created", config: { ...whole, id: this.id, createdAt: at, updatedAt: at } });
  }

  ask(
    command: RecordedCommand extends infer C ? (C extends RecordedCommand ? Omit<C, "loopId"> : never) : never,
  ): void {
    const whole = { ...command, loopId: this.id } as RecordedCommand;
    for (const body of decide(this.view, whole, this.now)) this.#fold(body);
  }

  next(): Step | null {
    return nextStep(this.view, this.now);
  }

  /** Perform the next step as told; false when the loop rests. */
  step(turn: PaperTurn = "continue"): boolean {
    const step = this.next();
    if (step === null) return false;
    for (const body of this.#outcome(step, turn)) this.#fold(body);
    return true;
  }

  /** Perform steps until the loop rests. */
  run(turns: (iteration: number) => PaperTurn, most = 1000): void {
    for (let n = 0; n < most; n++) {
      const step = this.next();
      if (step === null) return;
      this.step(step.do === "turn" ? turns(step.iteration) : "continue");
    }
    throw new Error(`still not at rest after ${most} steps`);
  }

  /** Something happens to it that no step of these tests brings about. */
  happens(body: EventBody): void {
    this.#fold(body);
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  #outcome(step: Step, turn: PaperTurn): EventBody[] {
    switch (step.do) {
      case "workspace":
        return [
          { type: "loop.workspace.ready", workspace: { kind: "plain", directory: "/tmp/paper" } },
          { type: "loop.started", iteration: this.view.iteration + 1 },
        ];
      case "turn": {
        const { iteration, attempt, prompt, said } = step;
        const opening: EventBody[] =
          openIteration(this.view) === null ? [{ type: "loop.iteration.start", iteration }] : [];
        return [
          ...opening,
          { type: "loop.turn.start", iteration, attempt, prompt, said },
          this.#turnEnd(iteration, turn),
        ];
      }
      case "commit":
        return [{ type: "loop.git.saved", iteration: step.iteration, head: null }];
      case "close":
        return [{ type: "loop.iteration.end", iteration: step.iteration, outcome: step.outcome }];
      case "wait":
        this.now = new Date(step.until);
        return [{ type: "loop.waiting", until: step.until, reason: step.reason }];
      case "pause":
        return [{ type: "loop.paused" }];
      case "finish":
        return [
          step.as === "completed"
            ? { type: "loop.completed", totalIterations: this.view.iteration }
            : { type: `loop.${step.as}`, reason: step.reason },
        ];
      default:
        throw new Error(`a loop on paper does not ${step.do} by itself`);
    }
  }

  #turnEnd(iteration: number, turn: PaperTurn): EventBody {
    if (turn === "interrupted") return { type: "loop.interrupted", iteration, cause: "asked", reason: "as told" };
    const failure = typeof turn === "object" ? { failure: turn } : {};
    return { type: "loop.turn.end", iteration, promised: turn === "promise", usage: unknownUsage, ...failure };
  }

  #fold(body: EventBody): LoopView {
    this.now = new Date(this.now.getTime() + 1);
    const event = { ...body, loopId: this.id, at: this.now.toISOString() } as DurableEvent;
    const stored: StoredEvent = { ...event, seq: this.events.length + 1 };
    this.events.push(stored);
    const view = fold(this.view ?? null, stored);
    if (view === null) throw new Error("a loop on paper is never deleted");
    this.view = view;
    return view;
  }
}
