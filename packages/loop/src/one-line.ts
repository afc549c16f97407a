/**
 * Text of an agent as one line without anything that a terminal or a reader would take for more than words: control
 * characters, line separators, and what turns the direction of writing.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}
