import { Fault } from "@ralpher/contract";

/** What only a shell could do: where it stands without quotes, and where it stands within double ones. */
const shellOnly = /^(?:&&?|\|\|?|[;<>()`\n]|\$[({\w])/;
const shellOnlyQuoted = /^(?:`|\$[({\w])/;

/**
 * The words of a command line: split at blanks, with quotes and backslashes as shells have them. No shell will run it, so
 * what only a shell could do is refused. @throws Fault `test_command_unusable`
 */
export function splitCommand(command: string): [string, ...string[]] {
  const unusable = (detail: string) => new Fault("test_command_unusable", { command, detail });
  const withoutShell = (sign: string) =>
    unusable(`"${sign}" needs a shell, and there is none; put it into a script or a Makefile target, and name that`);
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  const line = command.replace(/[\r\n]+$/, "");
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    const sign = quote === "'" ? null : (quote === null ? shellOnly : shellOnlyQuoted).exec(line.slice(at))?.[0];
    if (sign) throw withoutShell(sign === "\n" ? "a line break" : sign);
    if (char === quote) quote = null;
    else if (quote === null && (char === "'" || char === '"')) {
      quote = char;
      // Quotes around nothing are a word, too.
      word ??= "";
    } else if (quote === null && /\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === "\\" && isEscape(quote, line.charAt(at + 1))) word = (word ?? "") + line.charAt(++at);
    else word = (word ?? "") + char;
  }
  if (quote !== null) throw unusable(`its ${quote} is never closed`);
  if (word !== null) words.push(word);
  const [program, ...args] = words;
  if (program === undefined || program === "") throw unusable("it names no program");
  if (/^\w+=/.test(program)) throw unusable(`"${program}" needs a shell, and there is none; put "env" before it`);
  return [program, ...args];
}

/** Within double quotes a backslash stands for itself, but before these. */
function isEscape(quote: string | null, next: string): boolean {
  if (next === "" || next === "\n") return false;
  return quote === null || (quote === '"' && /["\\$`]/.test(next));
}
