/**
 * A command line as words: split at blanks, with quotes and backslashes as shells have them. Nothing else of a shell is
 * understood, for none will run it. Null when a quote is never closed, or there is no word.
 */
export function splitCommand(line: string): [string, ...string[]] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === quote) quote = null;
    else if (quote === null && (char === "'" || char === '"')) {
      quote = char;
      // Quotes around nothing are a word, too.
      word ??= "";
    } else if (quote === null && /\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === "\\" && quote !== "'" && (quote === null || /["\\]/.test(line.charAt(at + 1)))) {
      word = (word ?? "") + line.charAt(++at);
    } else word = (word ?? "") + char;
  }
  if (word !== null) words.push(word);
  const [program, ...rest] = words;
  return quote !== null || program === undefined || program === "" ? null : [program, ...rest];
}
