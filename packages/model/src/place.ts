import { matchConversation, type Script, type ScriptedConversation } from "@ralpher/contract";
import type { Query } from "./query.ts";

/** Where in the script a request is. */
export interface Place {
  conversation: ScriptedConversation;
  /** Index of the conversation in the script. */
  index: number;
  /** Answers since the prompt: index of the step to play, possibly past the last one. */
  stepIndex: number;
  /** Prompts up to and with the one that matched: tells a prompt from the same one asked again later. */
  promptCount: number;
}

/**
 * The newest prompt that matches a conversation, and how many answers came after it; null when none matches. Prompts
 * that match nothing are passed over, because agents put words of their own into the user's mouth (a stop hook's
 * feedback, a nudge to use a tool) and the script goes on across them.
 */
export function findPlace(script: Script, turns: Query["turns"]): Place | null {
  let stepIndex = 0;
  for (const [i, turn] of [...turns.entries()].reverse()) {
    if (turn.role === "assistant") {
      stepIndex += 1;
      continue;
    }
    const conversation = matchTexts(script, turn.texts);
    if (conversation === null) continue;
    const promptCount = turns.slice(0, i + 1).filter((t) => t.role === "user").length;
    return { conversation, index: script.conversations.indexOf(conversation), stepIndex, promptCount };
  }
  return null;
}

// Prompts that Claude Code makes up by itself. A conversation for every prompt does not mean these: it would begin anew.
const madeByAgent = /^(?:\[structured-output-enforce\]|\[Request interrupted by user|Stop hook feedback)/;

/**
 * One message can hold several prompts (after a failed turn the next prompt is joined to the unanswered one), so the
 * newest text that a `when` asks for counts before a conversation that takes everything.
 */
function matchTexts(script: Script, texts: string[]): ScriptedConversation | null {
  for (const text of texts.toReversed()) {
    const conversation = matchConversation(script, text);
    if (conversation?.when !== undefined) return conversation;
  }
  const people = texts.filter((text) => !madeByAgent.test(text));
  return people.length === 0 ? null : matchConversation(script, people.join("\n"));
}
