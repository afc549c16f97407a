import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";

/** The prompts of a session, as the SDK reads them: one after the other, as they come. */
export interface Prompts extends AsyncIterable<SDKUserMessage> {
  send(prompt: string, id: NonNullable<SDKUserMessage["uuid"]>): void;
  /** No more will come. */
  close(): void;
}

export function createPrompts(): Prompts {
  const waiting: SDKUserMessage[] = [];
  let isOpen = true;
  let news = Promise.withResolvers<void>();

  function tell(): void {
    news.resolve();
    news = Promise.withResolvers();
  }

  return {
    send(prompt, id) {
      waiting.push({
        type: "user",
        message: { role: "user", content: prompt },
        parent_tool_use_id: null,
        uuid: id,
      });
      tell();
    },
    close() {
      isOpen = false;
      tell();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isOpen) await news.promise;
        else return;
      }
    },
  };
}
