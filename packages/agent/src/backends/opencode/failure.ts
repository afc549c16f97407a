import type { AssistantMessage } from "@opencode-ai/sdk/v2/client";
import type { FailureReason, TurnFailure } from "@ralpher/contract";
import { reasonOfStatus, retryAfterMs } from "../../http-failure.ts";
import { Unusable } from "../../unusable.ts";

export type OpencodeError = NonNullable<AssistantMessage["error"]>;

/** The one table of opencode's errors: what each means for a turn. `APIError` has a status of its own to go by. */
const reasons: Record<Exclude<OpencodeError["name"], "APIError">, FailureReason> = {
  ProviderAuthError: "auth",
  MessageAbortedError: "aborted",
  ContextOverflowError: "overflow",
  // The answer, not the prompt, was too long, or was withheld: another try may go better.
  MessageOutputLengthError: "unknown",
  ContentFilterError: "unknown",
  StructuredOutputError: "protocol",
  UnknownError: "unknown",
};

const messageLimit = 2000;

/** What an error of opencode means. An error of a kind we do not know yet is `unknown`. */
export function failureOfError(error: OpencodeError): TurnFailure {
  const message = messageOf(error);
  if (error.name !== "APIError") return { reason: reasons[error.name] ?? "unknown", message };
  const { statusCode, responseHeaders } = error.data;
  // No answer, no status: the provider could not be reached, or hung up.
  if (statusCode === undefined) return { reason: "connection", message };
  const wait = retryAfterMs(responseHeaders, Date.now());
  return { reason: reasonOfStatus(statusCode), message, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

/**
 * What it means that opencode's server did not do what it was asked. `response` is undefined when it did not answer;
 * `body` is what it said, or what the connection failed with.
 */
export function failureOfAnswer(response: Response | undefined, body: unknown, what: string): TurnFailure {
  if (response === undefined) {
    return { reason: "connection", message: `opencode's server could not be asked to ${what}: ${said(body)}` };
  }
  if (response.status === 401) {
    const hint = "It wants a password: set OPENCODE_SERVER_PASSWORD to that of the server.";
    return { reason: "auth", message: `opencode's server refused to ${what}. ${hint}` };
  }
  const message = `opencode's server refused to ${what} (status ${response.status}): ${said(body)}`;
  return { reason: response.status >= 500 ? "server" : "protocol", message };
}

/** What something thrown on the way means for the turn. */
export function failureOfThrown(error: unknown): TurnFailure {
  if (error instanceof Unusable) return error.failure;
  return { reason: "unknown", message: said(error) };
}

function messageOf(error: OpencodeError): string {
  const { message } = error.data as { message?: unknown };
  return (typeof message === "string" ? message : error.name).slice(0, messageLimit);
}

function said(body: unknown): string {
  const text = body instanceof Error ? body.message : typeof body === "string" ? body : JSON.stringify(body);
  return (text ?? "nothing").slice(0, messageLimit);
}
