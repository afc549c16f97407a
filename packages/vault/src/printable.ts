/**
 * Words of agents and programs as they may stand in a file that people read: without control characters and escape
 * sequences, and without those that show letters in another order than they stand. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
      .replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, "")
      .replace(/\r\n?/g, "\n")
      .replace(/[\u2028-\u202e\u2066-\u2069]|(?![\n\t])\p{Cc}/gu, "")
  );
}
