import type { IterationOutcome } from "./iteration.ts";
import type { EndStatus } from "./loop.ts";

/** The next thing to do for a loop. A strategy chooses it; the engine performs it; what happened becomes events. */
export type Step =
  /** Make or find the tree to work in. */
  | { do: "workspace" }
  /** Give the prompt to a fresh agent session and see it through. */
  | { do: "turn"; iteration: number; attempt: number; prompt: string; said: number[] }
  /** Put the iteration's changes into git. */
  | { do: "commit"; iteration: number; message: string }
  /** Record how the iteration went. */
  | { do: "close"; iteration: number; outcome: IterationOutcome }
  /** Let time pass, until then or until somebody asks for something. */
  | { do: "wait"; until: string; reason: string }
  | { do: "pause" }
  | { do: "finish"; as: EndStatus; reason: string };
