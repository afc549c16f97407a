import { fold, foldAll, isUnderWay, type LoopId, type LoopView, type Published } from "@ralpher/contract";
import type { Ralpher } from "./compose.ts";

export interface FollowOptions {
  /** The last event already seen; 0 shows all. */
  after: number;
  /** Ends the following; the loop goes on. */
  signal?: AbortSignal;
  show: (published: Published, view: LoopView) => void;
}

/** Show what happens in a loop until it rests. Resolves to the loop as it is then, null when it was deleted. */
export async function follow({ hub }: Ralpher, loopId: LoopId, options: FollowOptions): Promise<LoopView | null> {
  const { after, signal, show } = options;
  const waiting: Published[] = [];
  let ring = Promise.withResolvers<void>();
  const unsubscribe = hub.subscribe((published) => {
    if (published.event.loopId !== loopId) return;
    waiting.push(published);
    ring.resolve();
  });
  signal?.addEventListener("abort", () => ring.resolve(), { once: true });
  try {
    const before = await hub.read({ loopId, limit: 1_000_000, before: after + 1 });
    let view = foldAll(null, before);
    for (const event of await hub.read({ loopId, after, limit: 1_000_000 })) {
      view = fold(view, event);
      if (view !== null) show({ durable: true, event, json: JSON.stringify(event) }, view);
    }
    while (view !== null && isUnderWay(view) && signal?.aborted !== true) {
      await ring.promise;
      ring = Promise.withResolvers<void>();
      for (const published of waiting.splice(0)) {
        if (published.durable) {
          if (view !== null && published.event.seq <= view.seq) continue;
          view = fold(view, published.event);
        }
        if (view !== null) show(published, view);
      }
    }
    return view;
  } finally {
    unsubscribe();
  }
}
