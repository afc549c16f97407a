/** The end of something long. */
export interface Tail {
  add(chunk: Uint8Array): void;
  /** At most so many bytes as were asked for; a character that is cut in two is left out. */
  text(): string;
}

export function createTail(bytes: number): Tail {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(chunk) {
      chunks.push(chunk);
      size += chunk.length;
      while (size - (chunks[0]?.length ?? 0) >= bytes && chunks.length > 0) size -= chunks.shift()?.length ?? 0;
    },
    text() {
      const all = Buffer.concat(chunks);
      let from = Math.max(0, all.length - bytes);
      // The second to fourth byte of a character in UTF-8.
      while (from > 0 && from < all.length && ((all[from] ?? 0) & 0xc0) === 0x80) from++;
      return all.toString("utf8", from);
    },
  };
}
