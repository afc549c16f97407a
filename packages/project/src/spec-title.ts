const longest = 120;

/** The first Markdown heading, or else the first line with words; null when there is none. At most 120 characters. */
export function titleOf(text: string): string | null {
  const lines = text.split(/\r?\n/);
  const title = firstHeading(lines) ?? lines.map((line) => line.trim()).find(hasWords);
  return title === undefined ? null : cut(title);
}

function firstHeading(lines: string[]): string | undefined {
  let fence: string | null = null;
  for (const line of lines) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || mark === fence)) fence = fence === null ? mark : null;
    if (fence !== null) continue;
    const heading = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/.exec(line)?.[1]?.replace(/(^|[ \t]+)#+[ \t]*$/, "");
    if (heading !== undefined && hasWords(heading)) return heading.trim();
  }
  return undefined;
}

const hasWords = (line: string) => /[\p{L}\p{N}\p{S}]/u.test(line);

function cut(title: string): string {
  const characters = Array.from(title);
  return characters.length <= longest ? title : `${characters.slice(0, longest - 1).join("")}…`;
}
