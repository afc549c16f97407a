import type { FailureReason, TurnFailure } from "@ralpher/contract";
import { reasonOfStatus } from "../../http-failure.ts";
import { Unusable } from "../../unusable.ts";

/** An error as JSON-RPC has it. */
export interface Refusal {
  code: number;
  message: string;
  data?: unknown;
}

/** The only code by which the protocol names a cause. */
const authRequired = -32000;

/** Codes that mean that agent and client do not understand each other. */
const protocolCodes: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);

/**
 * What agents put into `data` of an error beyond the protocol: claude-agent-acp an `errorKind`, opencode an `errorName`.
 * Null: the name covers several things, and the message tells more.
 */
const named: Record<string, FailureReason | null> = {
  authentication_failed: "auth",
  oauth_org_not_allowed: "auth",
  account_on_hold: "auth",
  verification_required: "auth",
  billing_error: "auth",
  cloud_credential_error: "auth",
  model_not_found: "model",
  rate_limit: "rate_limited",
  overloaded: "server",
  max_output_tokens: "unknown",
  transport_lost: "crashed",
  worker_shutdown: "crashed",
  invalid_request: null,
  server_error: null,
  unknown: null,
  ContextOverflowError: "overflow",
  ProviderAuthError: "auth",
  MessageAbortedError: "aborted",
  APIError: null,
  UnknownError: null,
};

/**
 * Where nothing but a sentence for people is told, it goes by the sentence: the protocol has no other place for what a
 * model's provider answered, and a loop that goes on with a bad key, or gives up for a moment's outage, is worse than a
 * guess. The first that matches counts. Only providers' own wording is listed, as far as it has been seen.
 */
const words: [RegExp, FailureReason][] = [
  [/budget/i, "budget"],
  [/context (length|window|limit)|(prompt|input|request|session|conversation) (is )?too (long|large)/i, "overflow"],
  [/model\b.{0,80}(not found|not exist|unknown|unsupported)|(unknown|invalid|unsupported|no such) model/i, "model"],
  [/rate.?limit|too many requests|quota|usage limit|resource.{0,12}exhausted/i, "rate_limited"],
  [/api[ -]?key|unauthori[sz]ed|authenticat|credential|forbidden|permission|not allowed|access denied/i, "auth"],
  [/credit|billing|payment|sign(ed)? in|log(ged)? ?in/i, "auth"],
  [/time[d-]?[ -]?out/i, "timeout"],
  [/connect|network|socket|fetch failed|hang up|hung up|terminated|\be(conn|notfound|ai_again|pipe)/i, "connection"],
  [/server|internal|overloaded|unavailable|capacity/i, "server"],
];

/** "API Error: 529 …", "status code 502": an HTTP status in the middle of a sentence. */
const statusInText = /\b(?:error|status(?: code)?|http(?:\/[\d.]+)?):? ([45]\d\d)\b/i;

const messageLimit = 2000;

/** What it means that the agent refused what it was asked. */
export function failureOfRefusal({ code, message, data }: Refusal): TurnFailure {
  // The protocol's own name of the code says nothing more.
  const said = message.replace(/^Internal error(?:: |$)/, "").slice(0, messageLimit) || `error ${code}`;
  if (code === authRequired) return { reason: "auth", message: `${said}. Log in with the agent's own program first.` };
  const name = nameIn(data);
  const known = name === null ? null : (named[name] ?? null);
  const reason = known ?? (name === null && protocolCodes.has(code) ? "protocol" : reasonOfWords(said));
  return { reason, message: said };
}

/** What a sentence about a failure of the model's provider means. */
export function reasonOfWords(text: string): FailureReason {
  const status = statusInText.exec(text)?.[1];
  if (status !== undefined) {
    const reason = reasonOfStatus(Number(status));
    if (reason !== "unknown") return reason;
  }
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? "unknown";
}

/** What claude-agent-acp's name of an error means, with the HTTP status the provider answered with, if it answered. */
export function reasonOfProvider(name: string, status: number | null): FailureReason {
  return named[name] ?? (status === null ? "connection" : reasonOfStatus(status));
}

/** What something thrown on the way means for the turn. */
export function failureOfThrown(error: unknown): TurnFailure {
  if (error instanceof Unusable) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  return { reason: "unknown", message: message.slice(0, messageLimit) };
}

function nameIn(data: unknown): string | null {
  if (typeof data !== "object" || data === null) return null;
  const { errorKind, errorName } = data as { errorKind?: unknown; errorName?: unknown };
  if (typeof errorKind === "string") return errorKind;
  return typeof errorName === "string" ? errorName : null;
}
