import type { Database } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { type ItemRecord, parseLine, renderLine } from "./item-line.ts";
import { findRow, recordsOf } from "./item-rows.ts";
import { type FileLine, keepLines, prepareFile, readLines } from "./items-file.ts";
import type { Place } from "./place.ts";
import { isIdOf } from "./project-name.ts";
import { namesOf } from "./take-in.ts";

/**
 * Write the project's items to the place's JSONL file, in two steps: everything that can fail happens now, and `put`
 * replaces the file. Lines of the present file that say something neither the new one nor the database does are kept
 * beside it first. `moved`: ids that are gone because their items have others now.
 */
export function prepareGivingOut(db: Database, place: Place, moved: ReadonlySet<string>, elsewhere: string) {
  const names = namesOf(place);
  const records = recordsOf(db, place.project.id).filter(({ id }) => isIdOf(id, names));
  const lines = records.map(renderLine);
  const text = lines.map((line) => `${line}\n`).join("");
  if (existsSync(place.file)) {
    if (readFileSync(place.file, "utf8") === text) return { put() {}, drop() {} };
    const given = new Map(records.map((record) => [record.id, record]));
    const same = new Set(lines);
    const lost = readLines(place.file).filter(
      (line) => !(line.text !== null && same.has(line.text)) && isLost(db, line, given, moved, names),
    );
    if (lost.length > 0) keepLines(place.file, lost);
  }
  return prepareFile(place.file, text, elsewhere);
}

function isLost(
  db: Database,
  line: FileLine,
  given: Map<string, ItemRecord>,
  moved: ReadonlySet<string>,
  names: string[],
): boolean {
  const record = line.text === null ? "" : parseLine(line.text);
  if (typeof record === "string") return true;
  if (!given.has(record.id) && !moved.has(record.id)) {
    return isIdOf(record.id, names) || findRow(db, record.id) === null;
  }
  return record.dependencies.some(
    ({ depends_on_id }) => !moved.has(depends_on_id) && findRow(db, depends_on_id) === null,
  );
}
