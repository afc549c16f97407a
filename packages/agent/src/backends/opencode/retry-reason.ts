import type { FailureReason } from "@ralpher/contract";

/**
 * What the provider's failure means that opencode is about to try again after. A sentence for people is all that opencode
 * tells of it, so this goes by its words. A wrong guess is harmless: opencode tries again only after what may pass, and
 * so would we, whatever it is called.
 */
export function reasonOfRetry(message: string): FailureReason {
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? "unknown";
}

const words: [RegExp, FailureReason][] = [
  [/rate.?(limit|increased)|too many requests|quota|usage limit|resource.{0,12}exhausted|\b429\b/i, "rate_limited"],
  [/time[d-]?.?out/i, "timeout"],
  [/connect|network|socket|fetch|hang up|terminated|getaddrinfo|\be(conn|notfound|ai_again|pipe)/i, "connection"],
  [/server|internal|overloaded|unavailable|capacity|provider returned error|\b5\d\d\b/i, "server"],
];
