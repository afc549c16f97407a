import { createGzip, type Gzip } from "node:zlib";
import {
  type BundleLine,
  type Captures,
  type DurableEvent,
  type Journal,
  type LoopView,
  toLoop,
} from "@ralpher/contract";

export interface BundleParts {
  journal: Journal;
  captures: Captures;
}

/** Prompts may be a million characters long. */
const eventsAtOnce = 50;
/** So many characters are packed at once. */
const packAtOnce = 64 * 1024;

/** See Hub. */
export async function* exportBundle(parts: BundleParts, view: LoopView): AsyncGenerator<Uint8Array, void, void> {
  const gzip = createGzip();
  const packing = pack(linesOf(parts, view), gzip).catch((error) => gzip.destroy(error));
  try {
    for await (const chunk of gzip) yield chunk;
  } finally {
    gzip.destroy();
    await packing;
  }
}

async function pack(lines: AsyncIterable<string>, gzip: Gzip): Promise<void> {
  let gathered = "";
  for await (const line of lines) {
    gathered += line;
    if (gathered.length < packAtOnce) continue;
    const isTaken = gzip.write(gathered);
    gathered = "";
    if (!isTaken && !(await drained(gzip))) return;
  }
  gzip.end(gathered);
}

/** False when nobody reads any more. */
function drained(gzip: Gzip): Promise<boolean> {
  if (gzip.destroyed) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const go = () => end(true);
  const stop = () => end(false);
  const end = (isOpen: boolean) => {
    gzip.off("drain", go).off("close", stop);
    resolve(isOpen);
  };
  gzip.once("drain", go).once("close", stop);
  return promise;
}

async function* linesOf({ journal, captures }: BundleParts, view: LoopView): AsyncGenerator<string, void, void> {
  yield lineOf({ type: "ralpher-loop", version: 1, loop: toLoop(view) });
  const { id: loopId } = view;
  const places = createPlaces();
  for (let after = 0; ; ) {
    const page = await journal.readRaw({ loopId, after, before: view.seq + 1, limit: eventsAtOnce });
    for (const { seq, json } of page) yield `{"type":"event","event":${places.name(seq, json)}}\n`;
    after = page.at(-1)?.seq ?? after;
    if (page.length < eventsAtOnce) break;
  }
  for (const name of await captures.list(loopId)) {
    for await (const text of captures.read(loopId, name)) yield lineOf({ type: "capture", name, text });
  }
  yield lineOf({ type: "end", events: places.count() });
}

const lineOf = (line: BundleLine): string => `${JSON.stringify(line)}\n`;

/** Elsewhere these events have other seqs: what they name, they name by its place in the bundle. */
function createPlaces() {
  const placeOf = new Map<number, number>();
  let count = 0;

  function named(event: DurableEvent): DurableEvent {
    if (event.type === "loop.unsaid") return { ...event, said: placeOf.get(event.said) ?? count };
    if (event.type !== "loop.turn.start" || event.said === undefined) return event;
    return { ...event, said: event.said.flatMap((seq) => placeOf.get(seq) ?? []) };
  }

  return {
    count: () => count,
    name(seq: number, json: string): string {
      count += 1;
      if (json.includes('"loop.said"')) placeOf.set(seq, count);
      // Most events name no other, and need no reading.
      return json.includes('"said":') ? JSON.stringify(named(JSON.parse(json))) : json;
    },
  };
}
