import type { z } from "zod";
import { openConversation } from "./conversation.ts";
import type { Answer, Invocation, Invoked } from "./invocation.ts";

/**
 * One prompt to a fresh agent, and the answer: with `output`, a value of that type; without, its text.
 * @throws Fault `turn_failed`, `output_invalid`, `invalid_input`
 */
export async function narrow<T = undefined>(
  invocation: Invocation & { prompt: string; output?: z.ZodType<T> | undefined },
): Promise<Answer<T> & Invoked> {
  const { prompt, output } = invocation;
  await using conversation = openConversation(invocation, "narrow");
  const answer = await conversation.ask({ prompt, output });
  const invoked = await conversation.end();
  return { ...(answer as Answer<T>), ...invoked };
}
