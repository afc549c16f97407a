/** Drains an output, and keeps its end. */
export interface LastLines {
  /** The last lines, for people. */
  text(): string;
}

const keptCharacters = 2000;

/** Read a stream to its end, so that its writer never waits; `onText` sees all of it as it comes. */
export function drain(stream: ReadableStream<Uint8Array>, onText: (text: string) => void = () => {}): LastLines {
  let kept = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      kept = (kept + text).slice(-keptCharacters);
      onText(text);
    }
    // A stream that breaks is a stream that ends.
  })().catch(() => {});
  return { text: () => kept.trim() };
}
