/** The only id that begins so; null when none does, or several. */
export function wholeId(beginning: string, ids: Iterable<string>): string | null {
  const [first, ...others] = [...ids].filter((id) => id.startsWith(beginning.toLowerCase()));
  return others.length > 0 ? null : (first ?? null);
}
