/** A line of words in which `code` between ticks is set as such. */
export function Ticked({ text }: { text: string }) {
  const parts = text.split("`");
  // A tick without its fellow is a tick.
  if (parts.length % 2 === 0) return text;
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: never changed
      <code key={index} className="figure">
        {part}
      </code>
    ),
  );
}
