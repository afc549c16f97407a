import { Fault, type Script } from "@ralpher/contract";
import { messagesApi } from "./anthropic/messages-api.ts";
import { createFaultTally } from "./fault-tally.ts";
import { answerModelCall, type Stage } from "./model-call.ts";
import type { ModelRequest } from "./model-request.ts";
import { chatApi } from "./openai/chat-api.ts";
import { refusalResponse } from "./respond.ts";

const logLimit = 1000;

/** A scripted model server that listens. Closing it breaks the connections that are open. */
export interface ModelServer extends AsyncDisposable {
  /** E.g. `http://127.0.0.1:4711`: Anthropic's base URL; OpenAI's is this and `/v1`. No slash at the end. */
  readonly url: string;
  readonly port: number;
  /** What was asked for so far, oldest first; the newest 1000. Grows in place. */
  readonly requests: readonly ModelRequest[];
  /** Play another script from now on. */
  play(script: Script): void;
}

export interface ModelServerOptions {
  script: Script;
  /** 0, the default, takes any free port. */
  port?: number;
  /** Default 127.0.0.1. There is no password, so whoever reaches this address can play the script. */
  hostname?: string;
}

/**
 * Listen, and play the script to whoever asks. Must be closed.
 * @throws Fault `port_taken`
 */
export function openModelServer(options: ModelServerOptions): ModelServer {
  const { script, port = 0, hostname = "127.0.0.1" } = options;
  const requests: ModelRequest[] = [];
  const stage: Stage = {
    script,
    tally: createFaultTally(),
    log(request) {
      requests.push(request);
      if (requests.length > logLimit) requests.shift();
    },
  };
  const server = listen(hostname, port, async (request) => {
    if (request.method === "HEAD") return new Response();
    // Clients are set up with and without `/v1` in their base URL; both work.
    const path = new URL(request.url).pathname.replace(/^\/v1(?=\/)/, "");
    switch (`${request.method} ${path}`) {
      case "POST /messages":
        return answerModelCall(messagesApi, request, stage);
      case "POST /chat/completions":
        return answerModelCall(chatApi, request, stage);
      case "POST /messages/count_tokens":
        return Response.json({ input_tokens: stage.script.usage.inputTokens });
      case "GET /models":
        return Response.json(modelList);
      default:
        return refusalResponse(chatApi, {
          kind: "no_route",
          status: 404,
          message: `There is nothing at ${request.method} ${path}.`,
        });
    }
  });
  return {
    url: server.url.origin,
    port: server.port ?? port,
    requests,
    play(next) {
      stage.script = next;
      stage.tally = createFaultTally();
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function listen(hostname: string, port: number, fetch: (request: Request) => Promise<Response>) {
  try {
    return Bun.serve({
      hostname,
      port,
      // A stalled answer stays open until the client has had enough.
      idleTimeout: 0,
      // Else Bun prints every cut stream as an error of ours.
      development: false,
      // Outside development Bun shares a taken port, and requests go to either server.
      reusePort: false,
      fetch,
    });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE") {
      throw new Fault("port_taken", { host: hostname, port }, { cause });
    }
    throw cause;
  }
}

// One list for both APIs: each reads the fields it knows.
const modelList = {
  object: "list",
  has_more: false,
  first_id: "model",
  last_id: "model",
  data: [
    {
      id: "model",
      object: "model",
      type: "model",
      display_name: "Scripted model",
      owned_by: "ralpher",
      created: 0,
      created_at: "1970-01-01T00:00:00Z",
    },
  ],
};
