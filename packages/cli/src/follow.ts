import { fold, isUnderWay, type LoopId, type LoopView, type Published } from "@ralpher/contract";
import type { Ralpher } from "./compose.ts";

export interface FollowOptions {
  /** The loop as already seen; what happened after that is shown. */
  from: LoopView;
  /** Ends the following; the loop goes on. */
  signal?: AbortSignal;
  /** Follow until this is so; by default, until the loop rests. */
  until?: (view: LoopView) => boolean;
  show: (published: Published, view: LoopView) => void;
}

const pageSize = 500;

/** Show what happens in a loop until it rests, or as long as asked. Resolves to the loop as it is then, null when it was deleted. */
export async function follow({ hub }: Ralpher, loopId: LoopId, options: FollowOptions): Promise<LoopView | null> {
  const { from, signal, until = (view) => !isUnderWay(view), show } = options;
  const waiting: Published[] = [];
  let ring = Promise.withResolvers<void>();
  const unsubscribe = hub.subscribe((published) => {
    if (published.event.loopId !== loopId) return;
    waiting.push(published);
    ring.resolve();
  });
  signal?.addEventListener("abort", () => ring.resolve(), { once: true });
  let view: LoopView | null = from;
  const take = (published: Published) => {
    if (published.durable) {
      if (view !== null && published.event.seq <= view.seq) return;
      view = fold(view, published.event);
    }
    if (view !== null) show(published, view);
  };
  try {
    for (let page = await next(view); page.length > 0; page = await next(view)) {
      for (const event of page) take({ durable: true, event, json: JSON.stringify(event) });
    }
    while (view !== null && !until(view) && signal?.aborted !== true) {
      await ring.promise;
      ring = Promise.withResolvers<void>();
      for (const published of waiting.splice(0)) take(published);
    }
    return view;
  } finally {
    unsubscribe();
  }

  async function next(seen: LoopView | null) {
    return seen === null ? [] : await hub.read({ loopId, after: seen.seq, limit: pageSize });
  }
}
