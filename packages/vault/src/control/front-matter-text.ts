import { stringify } from "yaml";

/** Front matter as we write it: a line for each key, in this order. */
export function frontMatterText(data: Record<string, unknown>): string {
  const said = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined && value !== null));
  return `---\n${stringify(said, { lineWidth: 0 })}---\n`;
}
