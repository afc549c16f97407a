import type {
  SDKAPIRetryMessage,
  SDKAssistantMessageError,
  SDKResultMessage,
  SDKStartupFailureReason,
  TerminalReason,
} from "@anthropic-ai/claude-agent-sdk";
import type { FailureReason, TurnFailure } from "@ralpher/contract";
import { reasonOfStatus } from "../../http-failure.ts";

/**
 * Claude Code's names for what went wrong with the provider. Null: the name covers several things, and the HTTP status
 * tells more.
 */
const reasonOfError: Record<SDKAssistantMessageError, FailureReason | null> = {
  authentication_failed: "auth",
  oauth_org_not_allowed: "auth",
  account_on_hold: "auth",
  verification_required: "auth",
  billing_error: "auth",
  cloud_credential_error: "auth",
  model_not_found: "model",
  rate_limit: "rate_limited",
  overloaded: "server",
  // The answer, not the prompt, was too long: another try may go better.
  max_output_tokens: "unknown",
  invalid_request: null,
  server_error: null,
  unknown: null,
};

/** What a turn ended with, where that says more than the error does. */
const reasonOfEnd: Partial<Record<TerminalReason, FailureReason>> = {
  prompt_too_long: "overflow",
  blocking_limit: "overflow",
  rapid_refill_breaker: "overflow",
  budget_exhausted: "budget",
  aborted_streaming: "aborted",
  aborted_tools: "aborted",
};

/** Why Claude Code refuses to start. What is left out is a set-up that only a human can mend, and has no word of ours. */
const reasonOfRefusal: Partial<Record<SDKStartupFailureReason, FailureReason>> = {
  org_pin_api_key_conflict: "auth",
  org_pin_mismatch: "auth",
  org_config_refused: "auth",
  provider_not_allowed: "auth",
  gateway_signin_required: "auth",
  gateway_access_denied: "auth",
  cli_version_too_old: "missing",
  org_verify_failed: "connection",
  org_config_required_unavailable: "connection",
  remote_settings_required_unavailable: "connection",
};

const logIn = '(Start "claude" and give /login, or set ANTHROPIC_API_KEY.)';

const messageLimit = 2000;

/** Why the provider gave no answer. `status` is null when it did not get so far as to say one. */
export function reasonOfProvider(error: SDKAssistantMessageError, status: number | null): FailureReason {
  return reasonOfError[error] ?? (status === null ? "connection" : reasonOfStatus(status));
}

/** A try that Claude Code is about to repeat. It tells no words of the provider's. */
export function failureOfRetry({ error, error_status }: SDKAPIRetryMessage): TurnFailure {
  const said = error_status === null ? "could not be reached, or hung up" : `answered with status ${error_status}`;
  return { reason: reasonOfProvider(error, error_status), message: `The model's provider ${said} (${error}).` };
}

/**
 * What an error result means. `error` is the name of the provider's error, if there was one. An API error comes as a
 * `success` that is one (`is_error`), with the HTTP status.
 */
export function failureOfResult(result: SDKResultMessage, error: SDKAssistantMessageError | undefined): TurnFailure {
  const message = messageOf(result).slice(0, messageLimit);
  const end = result.terminal_reason === undefined ? undefined : reasonOfEnd[result.terminal_reason];
  if (result.subtype === "error_max_budget_usd") return { reason: "budget", message };
  if (end !== undefined) return { reason: end, message };
  if (result.subtype === "success") {
    const status = result.api_error_status ?? null;
    if (error === undefined && status === null) return { reason: "unknown", message };
    const reason = reasonOfProvider(error ?? "unknown", status);
    return { reason, message: reason === "auth" ? `${message} ${logIn}` : message };
  }
  const refusal = result.startup_failure_reason;
  return { reason: (refusal === undefined ? undefined : reasonOfRefusal[refusal]) ?? "unknown", message };
}

function messageOf(result: SDKResultMessage): string {
  const said = result.subtype === "success" ? result.result : result.errors.join("\n");
  return said.trim() === "" ? `Claude Code ended the turn (${result.terminal_reason ?? result.subtype}).` : said;
}
