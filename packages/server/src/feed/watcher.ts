import type { EphemeralEvent, EventQuery, Hub, LoopEvent, RawEvent } from "@ralpher/contract";
import type { Watch } from "./feed.ts";
import { type Batch, type Frame, frameText, mergePieces, textOf } from "./frame.ts";
import { Shown } from "./shown.ts";

/** A watcher that has so many bytes unread is left alone until it has read them; then it reads on from the journal. */
const mostUnread = 256 * 1024;
/** So many events of the journal at a time, each of which may be a tool's output of 32 kB. */
const pageSize = 200;
/** What the stream begins with: when to come back after a loss, in milliseconds. */
const opening = "retry: 1000\n\n";
const encoder = new TextEncoder();

export interface Watcher {
  /** Watchers with the same key want the same frames. */
  readonly key: string;
  wants(frame: Frame): boolean;
  /** What just happened. `encode`: all that it wants of it as bytes, made once for all watchers of its key. */
  take(batch: Batch, encode: () => Uint8Array | null): void;
  /** Bytes of no meaning to the sequence. */
  send(bytes: Uint8Array): void;
  end(): void;
}

/**
 * One reader of the event stream. It is either catching up (reading pages of the journal at its own pace) or live
 * (handed what happens). A slow one falls back to catching up, so that it never costs anybody else memory or time, and
 * misses nothing (R-SSE-3, R-SSE-4).
 */
export function createWatcher(
  watch: Watch,
  feed: { hub: Hub; order: () => number; turn: () => Promise<void>; onEnd: () => void },
): { watcher: Watcher; stream: ReadableStream<Uint8Array> } {
  const { hub } = feed;
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let state: "new" | "catching up" | "live" | "ended" = "new";
  let seen = watch.after;
  /** Frames up to here were shown by the journal and the live texts when this watcher went live. */
  let shownUntil = 0;
  /** How often something was passed over while catching up: a page read meanwhile may not be the last. */
  let passedOver = 0;
  let shown = new Shown([], []);

  /** With a loop besides: the other loops' events are told from here on. */
  let othersFrom = 0;

  const wantsEvent = ({ loopId, type }: Pick<LoopEvent, "loopId" | "type">) =>
    loopId === watch.alsoLoop ||
    ((watch.loopId === null || loopId === watch.loopId) && (watch.types === null || watch.types.includes(type)));
  const wants = ({ event }: Frame) => wantsEvent(event);
  const isNew = ({ seq, order }: Frame) => (seq === null ? order > shownUntil : seq > (seen ?? 0));
  const live = (): EphemeralEvent[] => hub.live(watch.loopId).filter(wantsEvent);
  const read = async (): Promise<{ events: RawEvent[]; isLast: boolean }> => {
    const after = seen ?? 0;
    const ask = (query: EventQuery) => hub.readRaw({ ...query, limit: pageSize });
    const types = (watch.types as EventQuery["types"] | null) ?? undefined;
    if (watch.alsoLoop === undefined) {
      const events = await ask({ loopId: watch.loopId ?? undefined, types, after });
      return { events, isLast: events.length < pageSize };
    }
    return mergePages(
      await ask({ loopId: watch.alsoLoop, after }),
      await ask({ loopId: watch.loopId ?? undefined, types, after: Math.max(after, othersFrom) }),
    );
  };

  /** One page of the journal; after the last one, what is going on right now, and then live. */
  const page = async () => {
    let text = "";
    if (state === "new") {
      text = opening;
      state = "catching up";
      const latest = await hub.latest();
      // Whoever has seen more than there is has seen another journal: he can only go on with this one from here.
      seen = Math.min(seen ?? latest, latest);
      othersFrom = latest;
    }
    await feed.turn();
    if ((state as string) === "ended") return;
    const passedOverBefore = passedOver;
    const { events, isLast } = await read();
    if ((state as string) === "ended") return;
    seen = events.at(-1)?.seq ?? seen;
    text += events.map(({ seq, json }) => frameText(seq, json)).join("");
    if (isLast && passedOver === passedOverBefore) text += goLive();
    // A comment at least: the reader learns that it is connected, and a pull must give something to be called again.
    controller.enqueue(encoder.encode(text === "" ? ": on\n\n" : text));
  };

  const goLive = (): string => {
    state = "live";
    shownUntil = feed.order();
    const rest = shown.rest(live()).map((event) => frameText(null, JSON.stringify(event)));
    return rest.join("") + textOf(shown.lines);
  };

  const fallBehind = ({ frames }: Batch) => {
    state = "catching up";
    const wanted = frames.filter(wants);
    shown = new Shown(
      live(),
      wanted.filter((frame) => frame.order > shownUntil),
    );
  };

  const pull = async () => {
    if (state === "live" || state === "ended") return;
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
    key: `${watch.loopId ?? "*"} ${watch.types?.join(",") ?? "*"} ${watch.alsoLoop ?? ""}`,
    wants,
    take(batch, encode) {
      if (state === "catching up") {
        passedOver += 1;
        shown.passOver(batch.frames.filter(wants));
      }
      if (state !== "live") return;
      if ((controller.desiredSize ?? 0) <= 0) {
        fallBehind(batch);
        return;
      }
      const { firstOrder, firstSeq, lastSeq } = batch;
      const allNew = firstOrder > shownUntil && (firstSeq === null || firstSeq > (seen ?? 0));
      const bytes = allNew
        ? encode()
        : encoder.encode(textOf(mergePieces(batch.frames.filter((frame) => wants(frame) && isNew(frame)))));
      seen = Math.max(seen ?? 0, lastSeq ?? 0);
      if (bytes !== null && bytes.length > 0) controller.enqueue(bytes);
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

/** Two pages of the journal as one, in its order, up to where both are known; nothing in both is told twice. */
function mergePages(one: RawEvent[], other: RawEvent[]): { events: RawEvent[]; isLast: boolean } {
  const ends = [one, other].map((page) => (page.length < pageSize ? undefined : page.at(-1)?.seq) ?? Infinity);
  const end = Math.min(...ends);
  const bySeq = new Map([...one, ...other].filter(({ seq }) => seq <= end).map((event) => [event.seq, event]));
  return { events: [...bySeq.values()].sort((a, b) => a.seq - b.seq), isLast: end === Infinity };
}
