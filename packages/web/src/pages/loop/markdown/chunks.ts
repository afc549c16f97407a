const fence = /^ {0,3}(`{3,}|~{3,})/;
const item = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
const indented = /^\s+\S/;

/**
 * Cut Markdown at blank lines where a new block begins for certain, so that while text streams in only its last piece
 * is read again. Pieces put together give the whole text, blank lines aside; a list stays in one piece, and so does a
 * fence, also one that is still open.
 */
export function cutIntoChunks(text: string): string[] {
  const chunks: string[] = [];
  let lines: string[] = [];
  let open: string | null = null;
  let blank = false;
  const flush = () => {
    if (lines.length > 0) chunks.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (open === null && line.trim() === "") {
      blank = lines.length > 0;
      continue;
    }
    if (blank) {
      // A list goes on after a blank line, with another item or with more of the last one.
      if (item.test(lines[0] ?? "") && (item.test(line) || indented.test(line))) lines.push("");
      else flush();
      blank = false;
    }
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined) {
      if (open === null) open = mark;
      else if (mark.startsWith(open) && line.trim() === mark) open = null;
    }
    lines.push(line);
  }
  flush();
  return chunks;
}
