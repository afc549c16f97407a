import { expect, test } from "bun:test";
import fc from "fast-check";
import { Lexer } from "marked";
import { renderToStaticMarkup } from "react-dom/server";
import { cutIntoChunks } from "./chunks.ts";
import { Markdown } from "./markdown.tsx";
import { decodeReferences, isPlainParagraph, webAddress } from "./plain-text.ts";

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

test("[R-WEB-3] an agent's HTML is shown as it was written, never run and never rendered", () => {
  for (const evil of [
    "<script>alert(1)</script>",
    "before <img src=x onerror=alert(1)> after",
    '<a href="javascript:alert(1)">go</a>',
    "<style>body{display:none}</style>",
    "<iframe src=https://example.com></iframe>",
    "- item <svg onload=alert(1)>",
    "| a |\n|---|\n| <b>x</b> |",
  ]) {
    const made = html(evil);
    expect(made).not.toMatch(/<(script|img|style|iframe|svg|b)[\s>]/);
    expect(made).not.toMatch(/<a[^>]*javascript/);
    expect(made).toContain("&lt;");
  }
});

test("[R-WEB-3] links lead to the web only, in a tab of their own that knows nothing of this one", () => {
  expect(html("[good](https://example.com/a)")).toContain(
    '<a href="https://example.com/a" title="https://example.com/a" target="_blank" rel="noopener noreferrer nofollow"',
  );
  for (const href of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "//x.y",
    "/api",
  ]) {
    expect(html(`[bad](${href})`)).not.toContain("<a ");
  }
  expect(html("[bad](&#106;avascript:alert(1))")).not.toContain("<a ");
  expect(webAddress("java\nscript:alert(1)")).toBeNull();
  expect(webAddress("https://a b")).toBeNull();
});

test("[R-WEB-3] images are not loaded: they are links to what they would show", () => {
  const made = html("![a cat](https://example.com/cat.png)");
  expect(made).not.toContain("<img");
  expect(made).toContain('href="https://example.com/cat.png"');
  expect(made).toContain("image: a cat");
});

test("whatever an agent writes, only elements of ours come out", () => {
  const allowed =
    /^(div|p|strong|em|del|code|pre|a|ul|ol|li|table|thead|tbody|tr|th|td|blockquote|hr|br|button|svg|path|rect|span)$/;
  const pieces = fc.constantFrom(
    "<",
    ">",
    "`",
    "*",
    "[a](",
    ")",
    "![",
    "javascript:",
    "\n",
    "- ",
    "# ",
    "&lt;",
    "<script>",
    "|",
    "a",
    " ",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      for (const [, name] of html(parts.join("")).matchAll(/<([a-zA-Z]+)/g)) expect(name).toMatch(allowed);
    }),
    { numRuns: 300 },
  );
});

test("headings, lists, tasks, tables and code are set as such", () => {
  const made = html(
    "# Title\n\n- [x] done\n- [ ] open\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```ts\nconst a = 1 < 2;\n```\n\n1. one\n2. two",
  );
  expect(made).not.toContain("<h1");
  expect(made).toContain('aria-label="Done:"');
  expect(made).toContain('aria-label="To do:"');
  expect(made).toContain("<td");
  expect(made).toContain("const a = 1 &lt; 2;");
  expect(made).toContain('<ol start="1"');
});

test("character references are read as the characters they mean", () => {
  expect(decodeReferences("a &amp; b &#65; &#x42; &unknown; &#0;")).toBe("a & b A B &unknown; \ufffd");
});

test("text is cut where a new block begins for certain: lists and open fences stay whole", () => {
  expect(cutIntoChunks("one\n\ntwo")).toEqual(["one", "two"]);
  expect(cutIntoChunks("- a\n\n- b\n\n  more\n\nend")).toEqual(["- a\n\n- b\n\n  more", "end"]);
  expect(cutIntoChunks("```\na\n\nb")).toEqual(["```\na\n\nb"]);
  expect(cutIntoChunks("~~~\n```\n\n~~~\n\nend")).toEqual(["~~~\n```\n\n~~~", "end"]);
});

test("while text streams in, what was finished before stays the same", () => {
  const text = "First *words*.\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n- one\n- two\n\nLast.";
  const whole = cutIntoChunks(text);
  for (let end = 1; end < text.length; end += 1) {
    const sofar = cutIntoChunks(text.slice(0, end));
    expect(sofar.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, sofar.length - 1)));
  }
});

test("[R-WEB-3] what passes for plain text is, to the reader of Markdown too, one paragraph of text", () => {
  const pieces =
    "a,bc, ,  ,.,-,=,#,>,+,1.,1),(,),[,],*,_,`,~,|,:,<,&,@,!,\\,\n,\t,---,===,http://x.y,www.x.y,a@b.c".split(",");
  let plain = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, "\n", ","), { minLength: 1, maxLength: 12 }), (parts) => {
      for (const chunk of cutIntoChunks(parts.join(""))) {
        if (!isPlainParagraph(chunk)) continue;
        plain += 1;
        const read = [...Lexer.lex(chunk, { gfm: true })];
        expect(read).toMatchObject([{ type: "paragraph", tokens: [{ type: "text", text: chunk }] }]);
      }
    }),
    { numRuns: 5_000 },
  );
  expect(plain).toBeGreaterThan(100);
  expect(isPlainParagraph("The tests pass; 3 of 12 were changed.\nNext is the lexer - it is slow (see above).")).toBe(
    true,
  );
});
