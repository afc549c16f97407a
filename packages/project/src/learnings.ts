import type { Learning } from "@ralpher/contract";
import { type Bullet, findBullets, wordsOf } from "./bullets.ts";

const deprecatedHeading = "## Deprecated";

/**
 * The memory with these learnings in it: new ones as bullets under a heading of the day, deprecated ones struck out under
 * a heading at the end, so that nothing is lost and none comes back. What says the same as a bullet that is there, also
 * as a struck one, is not added. Pure. `day`: YYYY-MM-DD.
 */
export function mergeLearnings(memory: string, learnings: Learning[], day: string): { text: string; added: string[] } {
  const before = memory === "" ? [] : memory.replace(/\n$/, "").split("\n");
  let lines = before;
  const added: string[] = [];
  for (const learning of learnings) {
    const text = inOneLine(learning.text);
    const words = wordsOf(text);
    if (words === "") continue;
    const bullets = findBullets(lines);
    if (learning.action === "deprecate") lines = strike(lines, nearest(bullets, words));
    else if (!bullets.some((bullet) => bullet.words === words)) {
      lines = addBullet(lines, text, day);
      added.push(text);
    }
  }
  return { text: lines === before ? memory : `${lines.join("\n")}\n`, added };
}

// Escape sequences, control characters, and what shows letters in another order than they stand.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const unseen = /\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** As a bullet it is one line, without marks, strokes and control characters of its own: people read it in a terminal. */
function inOneLine(text: string): string {
  return text
    .replace(unseen, "")
    .replaceAll("~~", "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^([-*+] )+/, "");
}

/** The bullet that says just this, else the shortest that says it among other things. */
function nearest(bullets: Bullet[], words: string): Bullet | undefined {
  const living = bullets.filter(({ isStruck }) => !isStruck);
  return (
    living.find((bullet) => bullet.words === words) ??
    living
      .filter((bullet) => bullet.words.includes(words))
      .toSorted((a, b) => a.words.length - b.words.length)
      .at(0)
  );
}

function strike(lines: string[], bullet: Bullet | undefined): string[] {
  if (bullet === undefined) return lines;
  const rest = withoutEmptyDay(lines.toSpliced(bullet.from, bullet.to - bullet.from), bullet.from);
  const struck = `- ~~${bullet.text.replaceAll("~~", "")}~~`;
  const at = rest.findIndex(isDeprecatedHeading);
  return at < 0 ? addSection(rest, rest.length, deprecatedHeading, struck) : rest.toSpliced(endOf(rest, at), 0, struck);
}

/** A day of which nothing is left needs no heading. `at`: where its last bullet was. */
function withoutEmptyDay(lines: string[], at: number): string[] {
  const heading = lines.findLastIndex((line, index) => index < at && line.trim() !== "");
  if (!/^## \d{4}-\d\d-\d\d$/.test(lines[heading]?.trim() ?? "")) return lines;
  const next = lines.findIndex((line, index) => index > heading && line.trim() !== "");
  if (next >= 0 && !/^#{1,2} /.test(lines[next] ?? "")) return lines;
  return lines.toSpliced(heading, (next < 0 ? lines.length : next) - heading);
}

/** Below the heading of the day, which is the last before the deprecated ones. */
function addBullet(lines: string[], text: string, day: string): string[] {
  const heading = `## ${day}`;
  const deprecated = lines.findIndex(isDeprecatedHeading);
  const end = deprecated < 0 ? lines.length : deprecated;
  const last = lines.slice(0, end).findLastIndex((line) => /^#{1,2} /.test(line));
  const bullet = `- ${text}`;
  if (last >= 0 && lines[last]?.trim() === heading) return lines.toSpliced(endOf(lines, last), 0, bullet);
  return addSection(lines, end, heading, bullet);
}

function addSection(lines: string[], at: number, heading: string, bullet: string): string[] {
  const before = lines.slice(0, at);
  const after = lines.slice(at);
  const blank = before.length > 0 && before.at(-1)?.trim() !== "" ? [""] : [];
  return [...before, ...blank, heading, "", bullet, ...(after.length > 0 ? [""] : []), ...after];
}

/** Behind the last line with words in the section that begins with this heading. */
function endOf(lines: string[], heading: number): number {
  let end = lines.findIndex((line, index) => index > heading && /^#{1,2} /.test(line));
  if (end < 0) end = lines.length;
  while (end > heading + 1 && lines[end - 1]?.trim() === "") end--;
  return end;
}

const isDeprecatedHeading = (line: string) => line.trim() === deprecatedHeading;
