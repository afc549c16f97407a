import type { Usage } from "@ralpher/contract";

/** A whole number in groups of three. By hand: the browser's own formatter takes some milliseconds to begin. */
const grouped = (n: number) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** What stands where a number is not known. Unknown is never 0. */
export const unknown = "–";

/** A count for the eye, three figures at most: `950`, `12.4k`, `318k`, `1.2M`. */
export function formatCount(n: number): string {
  if (n < 1_000) return String(n);
  if (n < 99_950) return `${(n / 1_000).toFixed(1)}k`;
  if (n < 999_500) return `${Math.round(n / 1_000)}k`;
  return n < 99_950_000 ? `${(n / 1_000_000).toFixed(1)}M` : `${Math.round(n / 1_000_000)}M`;
}

/** A count with every figure: `1,234,567`. */
export function exactCount(n: number): string {
  return grouped(n);
}

/** US dollars: `$0.42`, `<$0.01`, `$1,204`; `–` when it is not known. */
export function formatCost(usd: number | null): string {
  if (usd === null) return unknown;
  if (usd === 0) return "$0";
  if (usd < 0.01) return "<$0.01";
  return usd < 1_000 ? `$${usd.toFixed(2)}` : `$${grouped(Math.round(usd))}`;
}

/** Input and output tokens together, or null when neither is known. */
export function tokensOf(usage: Usage): number | null {
  if (usage.inputTokens === null && usage.outputTokens === null) return null;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** `1 file`, `7 files`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** Tokens and money in full, for a hover. */
export function exactUsage(usage: Usage): string {
  const known = (n: number | null) => (n === null ? "unknown" : exactCount(n));
  const cost = usage.costUsd === null ? "unknown" : `$${usage.costUsd}`;
  return `${known(usage.inputTokens)} tokens in, ${known(usage.outputTokens)} out; cost ${cost}`;
}
