import { Lexer, type Token } from "marked";
import { memo, useMemo } from "react";
import { type BlockLook, Blocks } from "./blocks.tsx";
import { cutIntoChunks } from "./chunks.ts";
import { isPlainParagraph } from "./plain-text.ts";

/** A single block longer than this is shown as it is: reading it could take longer than a frame. */
const longestChunk = 40_000;

const spoken: BlockLook = { breaks: true, headingLevel: null };

/**
 * What an agent wrote, as Markdown. It becomes elements of ours and nothing else: HTML stays text, links lead to the
 * web only, images are not loaded. `writing`: more of it is on the way.
 */
export const Markdown = memo(function Markdown({
  text,
  writing = false,
  look = spoken,
}: {
  text: string;
  writing?: boolean;
  look?: BlockLook;
}) {
  const chunks = useMemo(() => cutIntoChunks(text), [text]);
  return (
    <div className="flex max-w-[78ch] flex-col gap-2.5 [overflow-wrap:anywhere]">
      {chunks.map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: text only grows at its end
        <Chunk key={index} text={chunk} look={look} writing={writing && index === chunks.length - 1} />
      ))}
    </div>
  );
});

// Memoised on plain values: while text streams in, only its last piece is read and laid out again.
const Chunk = memo(function Chunk({ text, look, writing }: { text: string; look: BlockLook; writing: boolean }) {
  const end = writing ? <Caret /> : undefined;
  if (text.length > longestChunk) {
    return (
      <p className="whitespace-pre-wrap">
        {text}
        {end}
      </p>
    );
  }
  return <Blocks tokens={tokensOf(text)} look={look} end={end} />;
});

/** Most of what an agent says has no markup, and needs no reading. */
function tokensOf(chunk: string): Token[] {
  if (!isPlainParagraph(chunk)) return Lexer.lex(chunk, { gfm: true });
  const text = { type: "text", raw: chunk, text: chunk, escaped: false };
  return [{ type: "paragraph", raw: chunk, text: chunk, tokens: [text] }];
}

function Caret() {
  return (
    // It takes no room: on a line of its own it would make the row higher than the finished text.
    <span aria-hidden="true" className="relative inline-block h-[1.05em] w-0 align-text-bottom">
      <span className="absolute inset-y-0 left-0.5 w-[0.45em] animate-breathe bg-run" />
    </span>
  );
}
