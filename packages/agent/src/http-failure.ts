import type { FailureReason } from "@ralpher/contract";

const reasons: Record<number, FailureReason> = {
  401: "auth",
  // Nothing is left on the account: like a bad key, only a human can mend it.
  402: "auth",
  403: "auth",
  404: "model",
  408: "timeout",
  413: "overflow",
  429: "rate_limited",
  504: "timeout",
};

/** What a model provider's HTTP status means for a turn. */
export function reasonOfStatus(status: number): FailureReason {
  return reasons[status] ?? (status >= 500 ? "server" : "unknown");
}

/**
 * What a provider asks us to wait, in milliseconds, by its `retry-after-ms` or `retry-after` header (seconds, or a date);
 * undefined when it asks for nothing. Names in lower case.
 */
export function retryAfterMs(headers: Record<string, string> | undefined, now: number): number | undefined {
  const ms = Number.parseFloat(headers?.["retry-after-ms"] ?? "");
  if (ms >= 0) return Math.ceil(ms);
  const after = headers?.["retry-after"];
  if (after === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Math.ceil(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
