import { join } from "node:path";
import {
  type AgentBackend,
  type BackendType,
  type ConversationRequest,
  type Conversations,
  Fault,
} from "@ralpher/contract";
import type { z } from "zod";
import { createRedactor } from "./capture/redact.ts";
import { openConversation } from "./patterns/conversation.ts";

export interface ConversationsOptions {
  /** As they were made: whatever is said here is captured here. They stay open: whoever made them closes them. */
  backends: ReadonlyMap<BackendType, AgentBackend>;
  /** The folder with the captures, one folder for each group: absolute path. */
  outputs: string;
}

/**
 * The patterns as a port, for who leads a conversation without knowing the agents. Answers hold no secrets of the
 * agent's environment: they are kept, and told to others.
 */
export function createConversations({ backends, outputs }: ConversationsOptions): Conversations {
  return {
    open({ group, backend: config, agentType, ...request }: ConversationRequest) {
      const backend = backends.get(config.type);
      if (backend === undefined) {
        throw new Fault("unknown_backend", { backend: config.type, known: [...backends.keys()] });
      }
      const { type: _, ...via } = config;
      const redactor = createRedactor(backend.environment);
      const conversation = openConversation({ ...request, backend, via, outputs: join(outputs, group) }, agentType);
      return {
        async ask<T>(prompt: string, output?: z.ZodType<T>) {
          const { text, output: value } = await conversation.ask({ prompt, output });
          return { text: redactor.text(text), output: redactor.value(value) as T };
        },
        get usage() {
          return conversation.usage;
        },
        [Symbol.asyncDispose]: () => conversation[Symbol.asyncDispose](),
      };
    },
  };
}
