/**
 * Text from agents, models and repositories as it may go to a terminal: without control characters, which could move
 * the cursor, change the title or worse, and without those that show letters in another order than they stand, or break
 * lines where nobody counts on it. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  return text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, "");
}
