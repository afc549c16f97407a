/** A fetch whose response ends when we say so. */
export interface EndableFetch {
  fetch: typeof fetch;
  /** End the body of the response as if the server had, or give up waiting for the response. Idempotent. */
  end(): void;
}

/**
 * For one stream without end: in Bun, aborting a fetch whose body somebody reads raises an AbortError that nobody can
 * catch, and returning the SDK's event generator waits for the next event.
 */
export function createEndableFetch(): EndableFetch {
  const waiting = new AbortController();
  let end = () => waiting.abort();

  async function endable(request: Parameters<typeof fetch>[0], options?: RequestInit): Promise<Response> {
    const response = await fetch(request, { ...options, signal: waiting.signal });
    if (response.body === null) return response;
    const reader = response.body.getReader();
    let ended = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        end = () => {
          if (ended) return;
          ended = true;
          controller.close();
          reader.cancel().catch(() => {});
        };
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (ended) return;
        if (!done) return controller.enqueue(value);
        ended = true;
        controller.close();
      },
    });
    return new Response(body, response);
  }

  return { fetch: Object.assign(endable, { preconnect: fetch.preconnect }), end: () => end() };
}
