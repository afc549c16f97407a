import type { AgentEvent, MessageKind, ScriptStep } from "@ralpher/contract";

/** Wait for so many milliseconds, or until the turn is over. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await Promise.race([Bun.sleep(ms), untilAborted(signal)]);
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * The pieces a step's text comes in: a delta for each repetition, or for each word when it is not repeated. A structured
 * answer that has no other way is a text, too.
 */
export function piecesOf(step: ScriptStep, hasForm: boolean): string[] {
  if (step.structured !== undefined && !hasForm) return [`\`\`\`json\n${JSON.stringify(step.structured)}\n\`\`\``];
  if (step.text === undefined) return [];
  return step.repeat === 1 ? splitWords(step.text) : Array.from({ length: step.repeat }, () => step.text as string);
}

export function splitWords(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Deltas of one message. */
export async function* sayDeltas(
  messageId: string,
  kind: MessageKind,
  pieces: string[],
  deltaDelayMs: number,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, void> {
  for (const [index, delta] of pieces.entries()) {
    if (index > 0) await pause(deltaDelayMs, signal);
    yield { type: "message.delta", messageId, kind, delta };
  }
}

/** A whole message: its deltas, and then the whole. */
export async function* say(
  messageId: string,
  kind: MessageKind,
  pieces: string[],
  deltaDelayMs: number,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, void> {
  if (pieces.length === 0) return;
  yield* sayDeltas(messageId, kind, pieces, deltaDelayMs, signal);
  yield { type: "message.complete", messageId, kind, text: pieces.join("") };
}
