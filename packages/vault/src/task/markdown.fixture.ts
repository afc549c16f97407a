import fc from "fast-check";

const blanks = fc.constantFrom("", "", "", "  ", "    ", "\t", "      ", "\t\t", "   ", " ");
const signs = fc.constantFrom("-", "*", "+", "1.", "1)", "23.");
const words = fc.constantFrom(
  "Write it",
  "1.2 Log in",
  "é ü 日本 🎉",
  "[[Note|as]] and `code`",
  "a <!-- said -->",
  "(verify: bun test)",
  "b (verify: bun test)",
  "`<!--`",
  "<!--",
  "-->",
  "",
  "trailing  ",
  "x ^anchor",
);
const box = fc
  .tuple(blanks, signs, fc.constantFrom(" ", "  ", "\t"), fc.constantFrom("[ ]", "[ ]", "[x]", "[X]"), words)
  .map(([indent, sign, gap, mark, text]) => `${indent}${sign}${gap}${mark} ${text}`);
const other = fc
  .tuple(
    blanks,
    fc.constantFrom(
      "",
      "",
      "words",
      "## 1. Part",
      "```",
      "~~~",
      "````js",
      "---",
      "===",
      "> - [ ] quoted",
      "- plain",
      "verify: true",
      "<!-- hidden",
      "-->",
      "<!-- verify: x -->",
      "| a | b |",
    ),
  )
  .map(([indent, text]) => indent + text);
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r\n", "\r");
const front = fc.constantFrom(
  "",
  "",
  "---\nverify: make\n---\n",
  "---\r\nstatus: open # still\r\ntags: [a]\r\n---\r\n",
  "\uFEFF",
  "\uFEFF---\n---\n",
  "---\nstatus:\n---\n",
  '---\nstatus: "open"\n...\n',
);

/** Texts that are full of what steps are told from. */
export const markdown = fc
  .tuple(
    front,
    fc.array(fc.tuple(fc.oneof({ arbitrary: box, weight: 3 }, { arbitrary: other, weight: 2 }), lineEnd), {
      maxLength: 25,
    }),
    fc.boolean(),
  )
  .map(([begin, lines, hasEnd]) => {
    const body = lines.map(([line, end], index) => line + (index === lines.length - 1 && !hasEnd ? "" : end)).join("");
    return begin + body;
  });
