const named: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  larr: "←",
  rarr: "→",
  times: "×",
};

/** Character references as Markdown reads them in running text; those that are not known stay as they are. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
  });
}

/** Where a link of an agent's may lead: to the web, and nowhere else; null for everything that is no such address. */
export function webAddress(href: string): string | null {
  const address = decodeReferences(href).trim();
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { protocol, href: whole } = new URL(address);
  return protocol === "http:" || protocol === "https:" ? whole : null;
}

/** How a line may begin another block than a paragraph. */
const blockStart = /^(?: {0,3}[#>*+\-=_`~|:<[\d]| {4}|[ \t]*\t)/m;
/** What may mean more than itself inside a paragraph; a break at the end of a line, and spaces at the beginning, too. */
const inlineMarkup = /[\\`*_~[\]<>&@|]|:\/\/|www\.|[ \t]\n|\n[ \t]|\r/i;

/** Is it one paragraph that says what it says? Only when that is certain. `chunk`: Markdown without blank lines. */
export function isPlainParagraph(chunk: string): boolean {
  return chunk.trim() === chunk && !inlineMarkup.test(chunk) && !blockStart.test(chunk) && !chunk.includes("\n\n");
}
