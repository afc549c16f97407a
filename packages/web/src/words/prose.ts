/** A piece of what an agent wrote: a paragraph as it stands, or a fenced block of code. */
export type ProseBlock = { kind: "text"; text: string } | { kind: "code"; text: string; language: string };

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;

/**
 * Split an agent's text into paragraphs and code. Nothing is dropped and nothing is interpreted as HTML; a fence that
 * is still open, as while the text streams in, runs to the end.
 */
export function splitProse(text: string): ProseBlock[] {
  const blocks: ProseBlock[] = [];
  let lines: string[] = [];
  let open: { mark: string; language: string } | null = null;
  const flush = () => {
    const joined = lines.join("\n");
    if (open !== null) blocks.push({ kind: "code", text: joined, language: open.language });
    else if (joined.trim() !== "") blocks.push({ kind: "text", text: joined });
    lines = [];
  };
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const match = fence.exec(line);
    const mark = match?.[1] ?? "";
    if (open === null && match !== null) {
      flush();
      open = { mark, language: match[2] ?? "" };
    } else if (open !== null && mark.startsWith(open.mark) && match?.[2] === "") {
      flush();
      open = null;
    } else if (open === null && line.trim() === "") flush();
    else lines.push(line);
  }
  if (open !== null || lines.length > 0) flush();
  return blocks;
}

export interface ProseSpan {
  kind: "text" | "code" | "strong";
  text: string;
}

const spans = /`([^`\n]+)`|\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*|^#{1,6} +(.+)$/gm;

/** Split a paragraph into its inline code, what it stresses (bold, headings), and the rest. */
export function splitSpans(text: string): ProseSpan[] {
  const found: ProseSpan[] = [];
  let from = 0;
  for (const match of text.matchAll(spans)) {
    if (match.index > from) found.push({ kind: "text", text: text.slice(from, match.index) });
    const [whole, code, bold, heading] = match;
    found.push(code === undefined ? { kind: "strong", text: bold ?? heading ?? "" } : { kind: "code", text: code });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) });
  return found;
}
