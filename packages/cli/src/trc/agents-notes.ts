import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { OwnChange, WorkItem } from "@ralpher/contract";
import { linksOf } from "@ralpher/contract/links";

/**
 * Work items do not say who changed them. So the `trc` of an agent notes what it changed in the file that this variable
 * names; else a loop would take it for a human's doing, and hear itself.
 */
export const notesVariable = "RALPHER_AGENTS_NOTES";

/** Of an older file one is kept: what counts is what came after the last SENSE of some loop. */
const fullBytes = 1_000_000;

/** What a command did to the work items. */
export interface Done {
  /** Items that were changed in themselves, or are new. */
  changed?: WorkItem[];
  /** Items that belong elsewhere, or wait for something else, than before; new ones, too. */
  relinked?: WorkItem[];
  /** Ids that are gone. */
  gone?: string[];
  said?: { itemId: string; createdAt: string }[];
}

type Note = OwnChange & { noted: string };

/** What cannot be noted is done all the same. */
export function noteForLoops(path: string, { changed = [], relinked = [], gone = [], said = [] }: Done): void {
  const noted = new Date().toISOString();
  const notes: Note[] = [
    ...changed.map(({ id, updatedAt: at }) => ({ id, at, noted })),
    ...relinked.map((item) => ({ id: item.id, at: item.updatedAt, links: linksOf(item), noted })),
    ...gone.map((id) => ({ id, at: noted, links: null, noted })),
    ...said.map(({ itemId: id, createdAt: at }) => ({ id, at, noted })),
  ];
  if (notes.length === 0) return;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > fullBytes) renameSync(path, olderOf(path));
    // One write, since several may write at once.
    appendFileSync(path, notes.map((note) => `${JSON.stringify(note)}\n`).join(""), { mode: 0o600 });
  } catch {}
}

/** What agents noted later than this, oldest first. A line that cannot be read is none. */
export function readAgentsNotes(path: string, after: string): OwnChange[] {
  return [olderOf(path), path]
    .flatMap((file) => textOf(file).split("\n"))
    .flatMap((line): OwnChange[] => {
      const note = parseNote(line);
      return note === null || note.noted <= after ? [] : [note];
    });
}

const olderOf = (path: string) => `${path}.old`;

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function parseNote(line: string): Note | null {
  try {
    const note = JSON.parse(line);
    return typeof note?.id === "string" && typeof note.at === "string" && typeof note.noted === "string" ? note : null;
  } catch {
    return null;
  }
}
