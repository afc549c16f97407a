/** What a runner's output says. */
export interface Told {
  /** Null when it does not say. */
  passed: number | null;
  failed: number;
  /** What failed, by names that stay the same from run to run: no durations, no line numbers. */
  failing: string[];
  /** It says that there are no tests, which some runners take for a failure. */
  hasNone: boolean;
}

/** Reads the output of one runner; null when it is not of that runner. Lines are without colours. Pure. */
export type Reader = (lines: readonly string[]) => Told | null;

/** Tests of one file may have one name: the second one is called `name (2)`. */
export function numbered(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** The number in front of this word, as in `2 failed`; 0 when there is none. */
export function numberBefore(word: RegExp, text: string): number {
  return Number(new RegExp(`(\\d+) (?:${word.source})`).exec(text)?.[1] ?? 0);
}
