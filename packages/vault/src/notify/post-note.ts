import type { Notification } from "@ralpher/contract";

const timeoutMs = 5_000;
const mostRedirects = 3;

/**
 * POST a note as JSON. What went wrong in words that do not tell the address, which may have a secret in it; null when
 * nothing did. Redirects are followed on the same host only.
 */
export async function postNote(address: string, note: Notification): Promise<string | null> {
  const { event, title, message, path } = note;
  const host = new URL(address).host;
  const signal = AbortSignal.timeout(timeoutMs);
  let url = new URL(address);
  try {
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ event, title, message, path }),
        redirect: "manual",
        signal,
      });
      await answer.body?.cancel();
      const location = answer.headers.get("location");
      if (answer.status < 300 || answer.status >= 400 || location === null) {
        return answer.ok ? null : `the webhook at ${host} answered ${answer.status}`;
      }
      url = new URL(location, url);
      if (url.hostname !== new URL(address).hostname) return `the webhook at ${host} leads to another host`;
    }
    return `the webhook at ${host} leads round in a circle`;
  } catch (error) {
    const isLate = signal.aborted;
    if (!isLate && !(error instanceof Error)) throw error;
    return isLate ? `the webhook at ${host} did not answer within 5 s` : `the webhook at ${host} could not be reached`;
  }
}
