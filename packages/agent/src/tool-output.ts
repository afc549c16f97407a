import type { ToolCall } from "@ralpher/contract";

/** How much of a tool's output is kept, in UTF-8 bytes. */
export const outputLimit = 32 * 1024;

// Enough for the mark between beginning and end.
const markRoom = 64;

/** A tool's output as it is recorded: whole when it is small, else its beginning and its end with a mark between. */
export function boundOutput(output: string): Pick<ToolCall, "output" | "outputBytes"> {
  const outputBytes = Buffer.byteLength(output);
  if (outputBytes <= outputLimit) return { output, outputBytes };
  const bytes = Buffer.from(output);
  const half = Math.floor((outputLimit - markRoom) / 2);
  const head = bytes.subarray(0, headEnd(bytes, half));
  const tail = bytes.subarray(tailStart(bytes, outputBytes - half));
  const left = outputBytes - head.length - tail.length;
  return { output: `${head}\n[… ${left} bytes left out …]\n${tail}`, outputBytes };
}

// Between lines, where there is an end of one near by: half a line may be half a secret.
const nearBy = 2048;
const lineFeed = 10;

function headEnd(bytes: Buffer, at: number): number {
  const end = bytes.lastIndexOf(lineFeed, at) + 1;
  return end > at - nearBy ? end : startOfCharacter(bytes, at);
}

function tailStart(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(lineFeed, at);
  return end >= 0 && end < at + nearBy ? end + 1 : nextCharacter(bytes, at);
}

// In UTF-8 every byte of a character but its first has the form 10xxxxxx.
const isInside = (byte: number | undefined) => byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

function startOfCharacter(bytes: Buffer, at: number): number {
  let start = at;
  while (isInside(bytes[start])) start--;
  return start;
}

function nextCharacter(bytes: Buffer, at: number): number {
  let start = at;
  while (isInside(bytes[start])) start++;
  return start;
}
