import { Script } from "@ralpher/contract";
import { type ModelServer, openModelServer } from "@ralpher/model";

/** The same scripted turn in two ways. */
export interface Contender extends AsyncDisposable {
  name: string;
  /** By the agent's own SDK, as its documentation shows it. */
  direct(): Promise<void>;
  /** By our layer. */
  ours(): Promise<void>;
}

export interface Ground {
  /** For what the agent keeps. */
  home: string;
  /** Where the agent works. */
  directory: string;
  outputs: string;
}

export const prompt = "Look at the notes.";
export const answer = "It is all there.";

/** A model whose turn is one tool call and an answer: the smallest turn that is real work. */
export function openModel(tool: { name: string; input: Record<string, unknown> }): ModelServer {
  const steps = [{ text: "I look.", tools: [tool] }, { text: answer }];
  return openModelServer({ script: Script.parse({ conversations: [{ steps }] }) });
}

/** A turn that did something else than the script says is no measurement. */
export function requireAnswer(text: string | undefined): void {
  if (text !== answer) throw new Error(`the agent said: ${text}`);
}
