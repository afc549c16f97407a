const encoder = new TextEncoder();

/** The body of an answer, made as fast as the reader takes it; whoever makes it is told when the reader leaves. */
export function streamBody(pieces: Iterable<string> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await source.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await source.return?.();
    },
  });
}
