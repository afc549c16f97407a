import type { Refusal } from "../api.ts";

/** Error types by HTTP status (docs.claude.com/en/api/errors). */
const typeOf: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const messageOf: Record<number, string> = {
  401: "invalid x-api-key",
  403: "Your API key does not have permission to use the specified resource.",
  429: "This request would exceed your account's rate limit. Please try again later.",
  500: "Internal server error",
  529: "Overloaded",
};

/** The JSON body of an error as Anthropic words it. */
export function refusalBody(refusal: Refusal): unknown {
  const type = typeOf[refusal.status] ?? (refusal.status < 500 ? "invalid_request_error" : "api_error");
  return { type: "error", error: { type, message: message(refusal) }, request_id: "req_scripted" };
}

function message(refusal: Refusal): string {
  switch (refusal.kind) {
    case "status":
      return refusal.message ?? messageOf[refusal.status] ?? `The script answers with status ${refusal.status}.`;
    case "unknown_model":
      return `model: ${refusal.model}`;
    case "overflow":
      return "prompt is too long: 200001 tokens > 200000 maximum";
    case "bad_request":
    case "no_route":
      return refusal.message;
  }
}
