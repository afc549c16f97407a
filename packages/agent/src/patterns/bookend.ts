import type { z } from "zod";
import { openConversation } from "./conversation.ts";
import type { Answer, Invocation, Invoked, Prompt } from "./invocation.ts";
import { type Answers, askAll } from "./walk.ts";

export interface Bookended<T, S extends readonly Prompt[], W extends readonly Prompt[]> extends Invoked {
  setUp: Answers<S>;
  work: Answer<T>;
  wrapUp: Answers<W>;
}

/**
 * Prompts that prepare, the one that does the work, and prompts that round it off, all in one agent context.
 * @throws Fault `turn_failed`, `output_invalid`, `invalid_input`; the prompts after that are not sent
 */
export async function bookend<
  T = undefined,
  const S extends readonly Prompt[] = readonly [],
  const W extends readonly Prompt[] = readonly [],
>(
  invocation: Invocation & { setUp?: S; prompt: string; output?: z.ZodType<T> | undefined; wrapUp?: W },
): Promise<Bookended<T, S, W>> {
  const { prompt, output } = invocation;
  await using conversation = openConversation(invocation, "bookend");
  const setUp = await askAll(conversation, invocation.setUp ?? ([] as unknown as S));
  const work = (await conversation.ask({ prompt, output })) as Answer<T>;
  const wrapUp = await askAll(conversation, invocation.wrapUp ?? ([] as unknown as W));
  return { setUp, work, wrapUp, ...(await conversation.end()) };
}
