import { setImmediate } from "node:timers/promises";
import type { Hub, LoopEvent, LoopId, Published } from "@ralpher/contract";
import { batchOf, type Frame, frameOf, textOf } from "./frame.ts";
import { createWatcher, type Watcher } from "./watcher.ts";

/** What somebody watches: everything, or one loop, or some types. `after`: the last event he has. */
export interface Watch {
  loopId: LoopId | null;
  types: LoopEvent["type"][] | null;
  /** Besides all that, everything of this loop; then `after` is about this loop, and the rest begins now. */
  alsoLoop?: LoopId | undefined;
  /** Null: only what happens from now on. */
  after: number | null;
}

/** Events are gathered for so many milliseconds and go out in one write. */
const gatherMs = 4;
const encoder = new TextEncoder();
const heartbeat = encoder.encode(": hb\n\n");

/**
 * The events of the hub as server-sent events for any number of watchers: each event is made into text once, and what
 * several watchers get in one go is encoded once for all of them. Pieces of a text that come close upon each other go
 * out as one.
 */
export class Feed implements Disposable {
  /** A connection that is silent for so long, in seconds, is dead: the heartbeat comes four times as often. */
  readonly longestSilence: number;
  readonly #hub: Hub;
  readonly #watchers = new Set<Watcher>();
  readonly #unsubscribe: () => void;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #gathered: Frame[] = [];
  #turn: Promise<void> = Promise.resolve();
  #order = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(hub: Hub, { heartbeatMs = 15_000 } = {}) {
    this.#hub = hub;
    this.longestSilence = Math.ceil((4 * heartbeatMs) / 1000);
    this.#unsubscribe = hub.subscribe((published) => this.#hear(published));
    this.#heartbeat = setInterval(() => {
      for (const watcher of this.#watchers) watcher.send(heartbeat);
    }, heartbeatMs);
    this.#heartbeat.unref?.();
  }

  /** A stream of server-sent events; it ends when the reader leaves or the feed is disposed. */
  open(watch: Watch): ReadableStream<Uint8Array> {
    const { watcher, stream } = createWatcher(watch, {
      hub: this.#hub,
      order: () => this.#order,
      turn: () => this.#takeTurn(),
      onEnd: () => this.#watchers.delete(watcher),
    });
    this.#watchers.add(watcher);
    return stream;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    clearInterval(this.#heartbeat);
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const watcher of [...this.#watchers]) watcher.end();
  }

  /** Those who catch up read one page after another, whoever's it is, and let everything else happen in between. */
  #takeTurn(): Promise<void> {
    this.#turn = this.#turn.then(() => setImmediate());
    return this.#turn;
  }

  #hear(published: Published): void {
    if (this.#watchers.size === 0) return;
    this.#order += 1;
    this.#gathered.push(frameOf(published, this.#order));
    this.#timer ??= setTimeout(() => this.#send(), gatherMs);
  }

  #send(): void {
    this.#timer = null;
    const batch = batchOf(this.#gathered);
    this.#gathered = [];
    const encoded = new Map<string, Uint8Array | null>();
    for (const watcher of this.#watchers) {
      watcher.take(batch, () => {
        let bytes = encoded.get(watcher.key);
        if (bytes === undefined) {
          const text = textOf(batch.merged.filter((frame) => watcher.wants(frame)));
          bytes = text === "" ? null : encoder.encode(text);
          encoded.set(watcher.key, bytes);
        }
        return bytes;
      });
    }
  }
}
