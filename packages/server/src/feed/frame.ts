import type { EphemeralEvent, LoopEvent, LoopId, Published } from "@ralpher/contract";

/** An event on its way to the watchers. */
export interface Frame {
  /** Its place among all events of this feed, durable or not. */
  order: number;
  seq: number | null;
  loopId: LoopId;
  event: LoopEvent;
  json: string;
}

/** What happened within one gathering. */
export interface Batch {
  frames: Frame[];
  /** The same, with the pieces of each message put together. */
  merged: Frame[];
  firstOrder: number;
  firstSeq: number | null;
  lastSeq: number | null;
}

export function frameOf(published: Published, order: number): Frame {
  const { event, json } = published;
  return { order, seq: published.durable ? published.event.seq : null, loopId: event.loopId, event, json };
}

export function batchOf(frames: Frame[]): Batch {
  return {
    frames,
    merged: mergePieces(frames),
    firstOrder: frames[0]?.order ?? 0,
    firstSeq: frames.find(({ seq }) => seq !== null)?.seq ?? null,
    lastSeq: frames.findLast(({ seq }) => seq !== null)?.seq ?? null,
  };
}

type Progress = Extract<EphemeralEvent, { type: "loop.progress" }>;
interface Piece {
  frame: Frame;
  event: Progress;
  contents: string[];
}

/**
 * Put the pieces of a message's text together, in the place of the first. Nothing durable of its loop lies between
 * them, so that whoever reads on sees the same.
 */
export function mergePieces(frames: Frame[]): Frame[] {
  const merged: (Frame | Piece)[] = [];
  const open = new Map<LoopId, Map<string, Piece>>();
  for (const frame of frames) {
    const { event, loopId } = frame;
    if (event.type !== "loop.progress") {
      if (frame.seq !== null) open.delete(loopId);
      merged.push(frame);
      continue;
    }
    const key = textKey(event);
    const texts = open.get(loopId) ?? new Map<string, Piece>();
    open.set(loopId, texts);
    const known = texts.get(key);
    if (known !== undefined && event.restart !== true) {
      known.contents.push(event.content);
      continue;
    }
    const piece = { frame, event, contents: [event.content] };
    texts.set(key, piece);
    merged.push(piece);
  }
  return merged.map((part) => ("contents" in part ? whole(part) : part));
}

function whole({ frame, event, contents }: Piece): Frame {
  if (contents.length === 1) return frame;
  const together = { ...event, content: contents.join("") };
  return { ...frame, event: together, json: JSON.stringify(together) };
}

/** Names a text within its loop. */
export function textKey({ iteration, kind, messageId }: Progress): string {
  return `${iteration} ${kind} ${messageId}`;
}

export function textOf(frames: Frame[]): string {
  return frames.map(({ seq, json }) => frameText(seq, json)).join("");
}

/** One server-sent event. Only durable events have an id, for only they can be resumed from (R-SSE-3). */
export function frameText(seq: number | null, json: string): string {
  return seq === null ? `data: ${json}\n\n` : `id: ${seq}\ndata: ${json}\n\n`;
}
