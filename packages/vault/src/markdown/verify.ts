import { findComments, withoutComments } from "./comments.ts";

/**
 * A step names its check in one of three ways:
 *
 *     - [ ] Log in (verify: bun test login)            at the end of its line
 *     - [ ] Log in <!-- verify: bun test login -->     in a comment, on its line or below it
 *     - [ ] Log in
 *       verify: bun test login                         on a line of its own, with or without a `-` before it
 *
 * Quotes of code around the command are taken off. `verify: none` is no check, also where one would be inherited.
 */
export interface Checked {
  /** Without the check. */
  words: string;
  /** Undefined when it names none; null when it says that there is none. */
  verify: string | null | undefined;
}

/** What a step's first line says. */
export function readStepLine(content: string): Checked {
  let verify = inComment(content);
  let words = withoutComments(content).trim();
  // An anchor that notes are linked by stays at the end of the line.
  const [, body = words, anchor = ""] = /^([\s\S]*?)([ \t]+\^[\w-]+)?$/.exec(words) ?? [];
  const from = findOpening(body);
  if (from !== null) {
    verify ??= toCommand(body.slice(from.inside, -1));
    words = `${body.slice(0, from.at).trimEnd()}${anchor}`;
  }
  return { words: words.replace(/\s+/g, " ").trim(), verify };
}

/** What a line below it says. */
export function readLineBelow(text: string): Checked {
  const verify = inComment(text);
  const words = withoutComments(text).trimEnd();
  const [, command] = /^[ \t]*(?:[-*+][ \t]+)?verify:(?:[ \t]+(.*))?$/i.exec(words) ?? [];
  if (command !== undefined) return { words: "", verify: toCommand(command) };
  return { words, verify };
}

/** A command as it is written in front matter. */
export function toCommand(text: string): string | null | undefined {
  const trimmed = text.trim();
  const [, , code] = /^(`+)([\s\S]+)\1$/.exec(trimmed) ?? [];
  const command = (code ?? trimmed).trim();
  if (command === "") return undefined;
  return command.toLowerCase() === "none" ? null : command;
}

function inComment(text: string): string | null | undefined {
  for (const comment of findComments(text)) {
    const [, command] = /^\s*verify:([\s\S]*)$/i.exec(comment.text) ?? [];
    if (command !== undefined && comment.to !== null) return toCommand(command);
  }
  return undefined;
}

/** The bracket that the last one of the line closes, if it says `(verify: …)`. */
function findOpening(body: string): { at: number; inside: number } | null {
  if (!body.endsWith(")")) return null;
  for (let at = body.length - 1, open = 0; at >= 0; at--) {
    if (body[at] === ")") open++;
    if (body[at] === "(" && --open === 0) {
      const label = /^\(\s*verify:/i.exec(body.slice(at))?.[0];
      return label === undefined ? null : { at, inside: at + label.length };
    }
  }
  return null;
}
