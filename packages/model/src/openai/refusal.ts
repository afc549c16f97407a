import type { Refusal } from "../api.ts";

type Words = { message: string; type: string; code: string | null };

/** Errors by HTTP status (platform.openai.com/docs/guides/error-codes). */
const wordsOf: Record<number, Words> = {
  401: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
  403: { message: "You are not allowed to use this model.", type: "permission_error", code: "permission_denied" },
  429: { message: "Rate limit reached for requests.", type: "requests", code: "rate_limit_exceeded" },
  500: { message: "The server had an error while processing your request.", type: "server_error", code: null },
  503: { message: "The engine is currently overloaded.", type: "server_error", code: "overloaded" },
};

/** The JSON body of an error as OpenAI words it. */
export function refusalBody(refusal: Refusal): unknown {
  return { error: { param: null, ...words(refusal) } };
}

function words(refusal: Refusal): Words {
  switch (refusal.kind) {
    case "status": {
      const known = wordsOf[refusal.status] ?? {
        message: `The script answers with status ${refusal.status}.`,
        // Clients read `server_error` as a reason to try again, so no other status may carry it.
        type: refusal.status >= 500 ? "server_error" : "invalid_request_error",
        code: null,
      };
      return { ...known, message: refusal.message ?? known.message };
    }
    case "unknown_model":
      return {
        message: `The model \`${refusal.model}\` does not exist or you do not have access to it.`,
        type: "invalid_request_error",
        code: "model_not_found",
      };
    case "overflow":
      return {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 128001 tokens. Please reduce the length of the messages.",
        type: "invalid_request_error",
        code: "context_length_exceeded",
      };
    case "bad_request":
    case "no_route":
      return { message: refusal.message, type: "invalid_request_error", code: null };
  }
}
