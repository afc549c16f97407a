import { diffLines } from "diff";
import { type DiffLine, parsePatch } from "../diff/patch.ts";

/** What one edit changed, line by line. */
export interface Edit {
  lines: DiffLine[];
}

/** More than this is shown as plain input: finding out what changed would take too long. */
const longestText = 200_000;
/** Comparing two texts may take so long, in milliseconds; after that the whole old and the whole new are shown. */
const mostMs = 40;

/** The names agents give what an edit replaces and puts there. */
const pairs = [
  ["old_string", "new_string"],
  ["oldString", "newString"],
  ["old_str", "new_str"],
  ["oldText", "newText"],
] as const;
const patches = ["patchText", "patch", "diff"] as const;

/** The edits in a tool's input, when that shows old and new text or a patch; else none. */
export function editsOf(input: unknown): Edit[] {
  if (typeof input !== "object" || input === null) return [];
  const fields = input as Record<string, unknown>;
  const own = editOf(fields);
  if (own !== null) return [own];
  return Array.isArray(fields.edits)
    ? fields.edits.flatMap((each) => (typeof each === "object" && each !== null ? (editOf(each) ?? []) : []))
    : [];
}

function editOf(fields: Record<string, unknown>): Edit | null {
  for (const [before, after] of pairs) {
    const [old, fresh] = [fields[before], fields[after]];
    if (typeof old === "string" && typeof fresh === "string" && old.length + fresh.length <= longestText) {
      return { lines: compare(old, fresh) };
    }
  }
  for (const name of patches) {
    const patch = fields[name];
    if (typeof patch === "string" && /^(@@|\*\*\* )/m.test(patch) && patch.length <= longestText) {
      return { lines: parsePatch(patch).flatMap((hunk) => hunk.lines) };
    }
  }
  return null;
}

/** The lines of two texts side by side, each kept, removed or added. */
export function compare(before: string, after: string): DiffLine[] {
  const parts = diffLines(before, after, { timeout: mostMs }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines: DiffLine[] = [];
  let old = 1;
  let fresh = 1;
  for (const { value, added, removed } of parts) {
    if (value === "") continue;
    for (const text of value.replace(/\n$/, "").split("\n")) {
      if (added) lines.push({ kind: "add", old: null, new: fresh++, text });
      else if (removed) lines.push({ kind: "del", old: old++, new: null, text });
      else lines.push({ kind: "same", old: old++, new: fresh++, text });
    }
  }
  return lines;
}

/** An input as a person would write it down: a line a field, texts as they are; without what is shown as an edit. */
export function plainInput(input: unknown, editsShown: boolean): string {
  if (input === null || input === undefined) return "";
  if (typeof input !== "object" || Array.isArray(input)) return JSON.stringify(input, null, 2);
  const hidden: readonly string[] = editsShown ? ["edits", ...pairs.flat(), ...patches] : [];
  return Object.entries(input)
    .filter(([name]) => !hidden.includes(name))
    .map(([name, value]) => {
      if (typeof value !== "string") return `${name}: ${JSON.stringify(value, null, 2)}`;
      return value.includes("\n") ? `${name}:\n${value.replace(/^/gm, "  ")}` : `${name}: ${value}`;
    })
    .join("\n");
}
