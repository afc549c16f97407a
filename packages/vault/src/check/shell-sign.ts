/** What only a shell could do: where it stands without quotes, and where it stands within double ones. */
const bare = /^(?:&&?|\|\|?|[;<>()`\r\n]|\$[({\w])/;
const inQuotes = /^(?:`|\$[({\w])/;

/** The first sign in a command line that only a shell would understand; null when a program can be run with its words. */
export function findShellSign(line: string): string | null {
  let quote: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    const sign = quote === "'" ? null : (quote === null ? bare : inQuotes).exec(line.slice(at));
    if (sign) return sign[0];
    if (char === quote) quote = null;
    else if (quote === null && (char === "'" || char === '"')) quote = char;
    else if (char === "\\" && quote !== "'") at++;
  }
  return null;
}
