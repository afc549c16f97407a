import type { AgentEvent, SessionRequest, TurnOptions, TurnResult } from "@ralpher/contract";

/** What a player is given of a turn. */
export interface ScriptedTurn {
  prompt: string;
  /** The prompts of this session so far, oldest first; the last is this one. */
  prompts: readonly string[];
  /** The same for all turns of a session, and for no other. */
  sessionId: string;
  request: SessionRequest;
  options: TurnOptions;
  /** Aborts when the turn is over for whatever reason: nobody listens any longer. */
  signal: AbortSignal;
}

/** Plays a turn: its events in order (`session.start` is sent already), then its result. */
export type Play = (turn: ScriptedTurn) => AsyncGenerator<AgentEvent, TurnResult, void>;
