import type { MarkedToken, Token } from "marked";
import type { ReactNode } from "react";
import { decodeReferences, webAddress } from "./plain-text.ts";

/** What stands inside a paragraph. HTML is shown as it was written, images as links: nothing is loaded from outside. */
export function Inline({ tokens }: { tokens: Token[] | undefined }): ReactNode {
  return (tokens as MarkedToken[] | undefined)?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece of text has no identity but its place
    <Piece key={index} token={token} />
  ));
}

function Piece({ token }: { token: MarkedToken }): ReactNode {
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? decodeReferences(token.text) : <Inline tokens={token.tokens} />;
    case "escape":
      return token.text;
    case "strong":
      return (
        <strong className="font-semibold">
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code className="figure rounded-sm bg-panel px-1 py-px">{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return (
        <Away href={token.href} raw={token.raw}>
          <Inline tokens={token.tokens} />
        </Away>
      );
    case "image":
      return (
        <Away href={token.href} raw={token.raw}>
          {token.text === "" ? "image" : `image: ${token.text}`}
        </Away>
      );
    default:
      return token.raw;
  }
}

/** A link out of the dashboard; one that leads nowhere safe is text, as it was written. */
function Away({ href, raw, children }: { href: string; raw: string; children: ReactNode }) {
  const address = webAddress(href);
  if (address === null) return raw;
  return (
    <a
      href={address}
      title={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-run underline decoration-run/40 underline-offset-2 hover:decoration-run"
    >
      {children}
    </a>
  );
}
