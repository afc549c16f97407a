import { type Conversation, openConversation } from "./conversation.ts";
import type { AnswerTo, Invocation, Invoked, Prompt } from "./invocation.ts";

/** The answers to these prompts, in their order. */
export type Answers<P extends readonly Prompt[]> = { [I in keyof P]: AnswerTo<P[I]> };

/**
 * Several prompts into one agent context, one after the other; each may want its answer in a form of its own.
 * @throws Fault `turn_failed`, `output_invalid`, `invalid_input`; the prompts after that are not sent
 */
export async function walk<const P extends readonly Prompt[]>(
  invocation: Invocation & { prompts: P },
): Promise<{ answers: Answers<P> } & Invoked> {
  await using conversation = startWalk(invocation);
  const answers = await askAll(conversation, invocation.prompts);
  return { answers, ...(await conversation.end()) };
}

/** A walk whose next prompt depends on the last answer. Must be ended, or closed by `await using`. */
export function startWalk(invocation: Invocation): Conversation {
  return openConversation(invocation, "walk");
}

export async function askAll<const P extends readonly Prompt[]>(
  conversation: Conversation,
  prompts: P,
): Promise<Answers<P>> {
  const answers: unknown[] = [];
  for (const prompt of prompts) answers.push(await conversation.ask(prompt));
  return answers as Answers<P>;
}
