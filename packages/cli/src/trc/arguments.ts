/** An option: `value` names what follows it; without, it is a switch. */
export interface OptionSpec {
  value?: string;
  /** May be given several times. */
  many?: boolean;
  required?: boolean;
  /** One letter. */
  short?: string;
  help: string;
}

export interface ArgumentSpec {
  /** In the order in which they come; the last may take all that is left. */
  words: { name: string; many?: boolean }[];
  options: Record<string, OptionSpec>;
}

/** Wrong usage: said on standard error, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was given. Asking for an option that the command does not have is a bug. */
export interface Arguments {
  words: string[];
  has(option: string): boolean;
  text(option: string): string | undefined;
  texts(option: string): string[];
  /** @throws UsageError when it is no whole number */
  integer(option: string): number | undefined;
}

/**
 * Read arguments as the original does: an option takes whatever word follows it, also one that begins with a hyphen,
 * so that a description may be a list. @throws UsageError
 */
export function readArguments({ words, options }: ArgumentSpec, given: string[]): Arguments {
  const found: string[] = [];
  const values = new Map<string, string[]>();
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? "";
    if (word === "--") {
      found.push(...given.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      found.push(word);
      continue;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const flag = equals === -1 ? word : word.slice(0, equals);
    const name = Object.keys(options).find((key) => flag === `--${key}` || flag === `-${options[key]?.short}`);
    const spec = name === undefined ? undefined : options[name];
    if (name === undefined || spec === undefined) throw new UsageError(`No such option: ${flag}`);
    let value = "";
    if (spec.value !== undefined) {
      if (equals === -1 && at + 1 >= given.length) throw new UsageError(`Option '${flag}' requires an argument.`);
      value = equals === -1 ? (given[++at] ?? "") : word.slice(equals + 1);
    } else if (equals !== -1) throw new UsageError(`Option '${flag}' does not take a value.`);
    values.set(name, spec.many ? [...(values.get(name) ?? []), value] : [value]);
  }
  requireWords(words, found);
  for (const [name, { required }] of Object.entries(options)) {
    if (required && !values.has(name)) throw new UsageError(`Missing option '--${name}'.`);
  }
  const text = (option: string) => values.get(option)?.[0];
  return {
    words: found,
    has: (option) => values.has(option),
    text,
    texts: (option) => values.get(option) ?? [],
    integer(option) {
      const value = text(option);
      if (value === undefined) return undefined;
      if (/^[+-]?\d+$/.test(value.trim())) return Number(value);
      throw new UsageError(`Invalid value for '--${option}': '${value}' is not a valid integer.`);
    },
  };
}

function requireWords(words: ArgumentSpec["words"], found: string[]): void {
  const missing = words[found.length];
  if (missing !== undefined) throw new UsageError(`Missing argument '${missing.name}'.`);
  const takesAll = words.at(-1)?.many === true;
  const extra = found[words.length];
  if (!takesAll && extra !== undefined) throw new UsageError(`Got unexpected extra argument (${extra})`);
}
