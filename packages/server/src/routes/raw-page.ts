import type { RawEvent } from "@ralpher/contract";

/** So many characters go out in one piece. */
const pieceLength = 128 * 1024;

/** Events as a JSON array, each with its seq, from their stored texts: nothing is parsed and written again. */
export function* rawPage(rows: RawEvent[]): Generator<string, void, void> {
  let piece = "[";
  let separator = "";
  for (const { seq, json } of rows) {
    // A stored event begins with its brace, and has at least a type.
    piece += `${separator}{"seq":${seq},${json.slice(1)}`;
    separator = ",";
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]`;
}
