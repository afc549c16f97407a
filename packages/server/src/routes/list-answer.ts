import type { Hub, LoopQuery } from "@ralpher/contract";
import { encodingHeaders, isPacked, pack } from "./packed.ts";

/** Answers to so many different questions are kept. */
const mostKept = 8;
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
    const packed = isPacked(found.plain.length, acceptEncoding);
    if (packed) found.packed ??= pack(found.plain);
    return new Response(packed ? found.packed : found.plain, {
      headers: {
        "content-type": "application/json",
        "x-total-count": String(found.total),
        "x-ralpher-seq": String(found.seq),
        ...encodingHeaders(packed),
      },
    });
  };
}
