import type { Hub, LoopQuery } from "@ralpher/contract";

/** Answers to so many different questions are kept. */
const mostKept = 8;
/** Smaller ones are not worth packing. In bytes. */
const worthPacking = 16 * 1024;
const encoder = new TextEncoder();

interface Answer {
  seq: number;
  total: number;
  plain: Uint8Array<ArrayBuffer>;
  packed: Uint8Array<ArrayBuffer> | null;
}

/**
 * Answers with the list of loops. As long as nothing happened in any loop, the same question gets the same bytes; that
 * nothing happened is told by the journal's newest number, whichever process wrote.
 */
export function createListAnswer(hub: Hub) {
  const kept = new Map<string, Answer>();

  const answer = async (query: LoopQuery): Promise<Answer> => {
    const key = JSON.stringify(query);
    const seq = await hub.latest();
    const known = kept.get(key);
    if (known?.seq === seq) return known;
    const plain = encoder.encode(`[${(await hub.listRaw(query)).join(",")}]`);
    const fresh = { seq, total: await hub.count(query), plain, packed: null };
    kept.delete(key);
    kept.set(key, fresh);
    const oldest = kept.keys().next().value;
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return fresh;
  };

  return async (query: LoopQuery, acceptEncoding: string | undefined): Promise<Response> => {
    const found = await answer(query);
    const isPacked = found.plain.length >= worthPacking && acceptsGzip(acceptEncoding ?? "");
    if (isPacked) found.packed ??= Bun.gzipSync(found.plain, { level: 1 });
    return new Response(isPacked ? found.packed : found.plain, {
      headers: {
        "content-type": "application/json",
        "x-total-count": String(found.total),
        "x-ralpher-seq": String(found.seq),
        vary: "accept-encoding",
        ...(isPacked ? { "content-encoding": "gzip" } : {}),
      },
    });
  };
}

function acceptsGzip(header: string): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header);
}
