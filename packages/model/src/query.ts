import { z } from "zod";

/** A message as far as it matters here: a user's prompt with its texts, or an answer of the model. */
type QueryTurn = { role: "user"; texts: string[] } | { role: "assistant" };

/** What a request asks, whichever API it came through. */
export interface Query {
  model: string;
  stream: boolean;
  /** The last usage chunk is wanted (OpenAI only; Anthropic always reports usage). */
  includeUsage: boolean;
  /** The session the agent says it is in, or null. */
  session: string | null;
  /** The system texts, in order. */
  system: string[];
  /** Prompts and answers in order. Messages that hold only tool results or reminders are left out. */
  turns: QueryTurn[];
  /** The texts of the last message of a user, reminders included. */
  lastUserTexts: string[];
  /** How many messages the request carried. */
  messageCount: number;
  /** Names of the tools on offer. */
  tools: string[];
  /** Field names of the JSON schema the answer must have when the API is asked to enforce one. */
  outputFields: string[];
  /** The most tokens the answer may have, or null. */
  maxTokens: number | null;
}

const TextBlock = z.looseObject({ type: z.literal("text"), text: z.string() });

/** Content of a message on the wire: a string or a list of blocks. */
export const Content = z.union([z.string(), z.array(z.unknown())]).nullish();

/** The texts of a message's content; other blocks (tool results, images) have none. */
export function textsOf(content: z.infer<typeof Content>): string[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [content];
  return content.flatMap((block) => {
    const parsed = TextBlock.safeParse(block);
    return parsed.success ? [parsed.data.text] : [];
  });
}

// Agents wrap what they add to a prompt themselves in this tag; a person's words are outside it.
const reminder = /<system-reminder>[\s\S]*?<\/system-reminder>/g;

/** The prompts and answers among messages, without the agent's reminders; and the last user message as it came. */
export function readTurns(
  messages: { role: string; content?: z.infer<typeof Content> }[],
): Pick<Query, "turns" | "lastUserTexts" | "messageCount"> {
  const turns: QueryTurn[] = [];
  let lastUserTexts: string[] = [];
  for (const message of messages) {
    if (message.role === "assistant") turns.push({ role: "assistant" });
    if (message.role !== "user") continue;
    lastUserTexts = textsOf(message.content);
    const texts = lastUserTexts.map((text) => text.replace(reminder, "").trim()).filter((text) => text !== "");
    if (texts.length > 0) turns.push({ role: "user", texts });
  }
  return { turns, lastUserTexts, messageCount: messages.length };
}
