import type { EventQuery, Hub } from "@ralpher/contract";
import { type Frame, frameText, type Watch } from "./feed.ts";

/** A watcher that has so many bytes unread is left alone until it has read them; then it reads on from the journal. */
const mostUnread = 256 * 1024;
const pageSize = 500;
const encoder = new TextEncoder();

export interface Watcher {
  /** Watchers with the same key want the same frames. */
  readonly key: string;
  wants(frame: Frame): boolean;
  /** What just happened: the frames, and those it wants of them as bytes. */
  take(frames: Frame[], bytes: Uint8Array | null): void;
  /** Bytes of no meaning to the sequence. */
  send(bytes: Uint8Array): void;
  end(): void;
}

/**
 * One reader of the event stream. It is either catching up (reading pages of the journal at its own pace) or live
 * (handed what happens). A slow one falls back to catching up, so it never costs anybody else memory or time, and
 * misses nothing durable (R-SSE-3, R-SSE-4).
 */
export function createWatcher(
  watch: Watch,
  feed: { hub: Hub; order: () => number; onEnd: () => void },
): { watcher: Watcher; stream: ReadableStream<Uint8Array> } {
  const { hub } = feed;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let state: "catching up" | "live" | "ended" = "catching up";
  let seen = watch.after;
  /** Frames up to here were shown by the journal and the live texts when this watcher went live. */
  let shownUntil = 0;
  /** How often something was passed over while catching up: a page read meanwhile may not be the last. */
  let passedOver = 0;

  const wantsType = ({ type }: { type: Frame["type"] }) => watch.types === null || watch.types.includes(type);
  const wants = (frame: Frame) => (watch.loopId === null || frame.loopId === watch.loopId) && wantsType(frame);
  const isNew = ({ seq, order }: Frame) => (seq === null ? order > shownUntil : seq > (seen ?? 0));

  /** One page of the journal; after the last one, what is going on right now, and then live. */
  const page = async () => {
    const passedOverBefore = passedOver;
    const latest = await hub.latest();
    // Whoever has seen more than there is has seen another journal: he can only go on with this one from here.
    seen = Math.min(seen ?? latest, latest);
    const types = watch.types as EventQuery["types"] | null;
    const events = await hub.read({
      loopId: watch.loopId ?? undefined,
      types: types ?? undefined,
      after: seen,
      limit: pageSize,
    });
    if ((state as string) === "ended") return;
    seen = events.at(-1)?.seq ?? seen;
    let text = events.map(({ seq, ...event }) => frameText(seq, JSON.stringify(event))).join("");
    if (events.length < pageSize && passedOver === passedOverBefore) {
      state = "live";
      shownUntil = feed.order();
      const live = watch.loopId === null ? [] : hub.live(watch.loopId).filter(wantsType);
      text += live.map((event) => frameText(null, JSON.stringify(event))).join("");
    }
    // A comment at least: the reader learns that it is connected, and a pull must give something to be called again.
    controller.enqueue(encoder.encode(text === "" ? ": live\n\n" : text));
  };

  const pull = async () => {
    if (state !== "catching up") return;
    try {
      await page();
    } catch (error) {
      // The journal cannot be read: the client comes back by itself and finds out more.
      end();
      controller.error(error);
    }
  };

  const end = () => {
    if (state === "ended") return;
    state = "ended";
    feed.onEnd();
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (c) => {
        controller = c;
      },
      pull,
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
  );

  const watcher: Watcher = {
    key: `${watch.loopId ?? "*"} ${watch.types?.join(",") ?? "*"}`,
    wants,
    take(frames, bytes) {
      if (state === "catching up") passedOver += 1;
      if (state !== "live" || bytes === null) return;
      if ((controller.desiredSize ?? 0) <= 0) {
        state = "catching up";
        return;
      }
      const firstSeq = frames.find(({ seq }) => seq !== null)?.seq ?? null;
      const allNew = (frames[0]?.order ?? 0) > shownUntil && (firstSeq === null || firstSeq > (seen ?? 0));
      const some = allNew ? bytes : encoder.encode(textOf(frames.filter((frame) => wants(frame) && isNew(frame))));
      seen = Math.max(seen ?? 0, frames.findLast(({ seq }) => seq !== null)?.seq ?? 0);
      if (some.length > 0) controller.enqueue(some);
    },
    send(bytes) {
      if (state === "live" && (controller.desiredSize ?? 0) > 0) controller.enqueue(bytes);
    },
    end() {
      if (state === "ended") return;
      end();
      try {
        controller.close();
      } catch {
        // The reader was faster.
      }
    },
  };
  return { watcher, stream };
}

function textOf(frames: Frame[]): string {
  return frames.map(({ text }) => text).join("");
}
