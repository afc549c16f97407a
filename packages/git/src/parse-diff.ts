import type { FileDiff } from "@ralpher/contract";

const maxPatchChars = 1024 * 1024;
const maxAllPatchesChars = 20 * 1024 * 1024;

/** A file of the diff, and how many patches git prints for it: two when a file became a symlink or the like. */
interface Entry {
  file: FileDiff;
  patches: 1 | 2;
}

/**
 * Parse what `git diff --raw --numstat --patch -z` prints: entries, then line counts, every field ended by NUL, then an
 * empty field and the patches, in the order of the entries. Patches above 1 MB, and those after 20 MB, are left out.
 *
 * @param options.cut the text ends too early: its last patch is not whole
 * @param options.patches false: git was asked for none
 * @param options.whole leave no patch out for its size
 */
export function parseDiff(text: string, options: { cut: boolean; patches?: boolean; whole?: boolean }): FileDiff[] {
  const fields = createFields(text);
  const entries: Entry[] = [];
  while (fields.peek()?.startsWith(":")) entries.push(parseEntry(fields));
  const files = new Map(entries.map(({ file }) => [file.path, file]));
  for (let field = fields.peek(); field !== null && field !== ""; field = fields.peek()) parseCounts(fields, files);
  if (options.patches === false) return entries.map(({ file }) => file);
  fields.next();
  addPatches(entries, text.slice(fields.position()), options);
  return entries.map(({ file }) => file);
}

interface Fields {
  /** The field ahead; null at the end. */
  peek(): string | null;
  next(): string;
  position(): number;
}

function createFields(text: string): Fields {
  let at = 0;
  const peek = () => {
    const end = text.indexOf("\0", at);
    return end < 0 ? null : text.slice(at, end);
  };
  const next = () => {
    const field = peek();
    at = field === null ? text.length : at + field.length + 1;
    return field ?? "";
  };
  return { peek, next, position: () => at };
}

/** `:<mode> <mode> <id> <id> <letter>`, then the path; old and new path of a rename. */
function parseEntry(fields: Fields): Entry {
  const [, , before = "", after = "", status = ""] = fields.next().split(" ");
  const letter = status[0] ?? "M";
  const renamed = letter === "R" || letter === "C";
  const oldPath = renamed ? fields.next() : null;
  const file: FileDiff = {
    path: fields.next(),
    ...(oldPath === null ? {} : { oldPath }),
    status: statuses[letter] ?? "modified",
    additions: 0,
    deletions: 0,
    binary: false,
    blob: letter === "D" ? before : after,
  };
  return { file, patches: letter === "T" ? 2 : 1 };
}

const statuses: Record<string, FileDiff["status"]> = { A: "added", C: "added", D: "deleted", R: "renamed" };

/** `<added> TAB <deleted> TAB <path>`; of a rename, the path is empty and both follow. `-` is for binary files. */
function parseCounts(fields: Fields, files: Map<string, FileDiff>): void {
  const [added = "", deleted = "", ...rest] = fields.next().split("\t");
  let path = rest.join("\t");
  if (path === "") {
    fields.next();
    path = fields.next();
  }
  const file = files.get(path);
  if (file === undefined) return;
  file.binary = added === "-";
  file.additions = Number(added) || 0;
  file.deletions = Number(deleted) || 0;
}

/**
 * Lines of a patch begin with a sign or a space, so only a file's first line begins with `diff`. A file name with a
 * line break could imitate that; then the numbers do not match, and no patch is better than one at the wrong file.
 */
function addPatches(entries: Entry[], text: string, { cut, whole }: { cut: boolean; whole?: boolean }): void {
  const patches = text.split(/^(?=diff --git )/m).filter((patch) => patch !== "");
  if (cut) patches.pop();
  const expected = entries.reduce((sum, entry) => sum + entry.patches, 0);
  if (!cut && patches.length !== expected) return;
  let at = 0;
  let total = 0;
  for (const entry of entries) {
    const patch = patches.slice(at, at + entry.patches).join("");
    at += entry.patches;
    if (patch === "" || at > patches.length) return;
    if (entry.file.binary || (patch.length > maxPatchChars && whole !== true)) continue;
    total += patch.length;
    if (total > maxAllPatchesChars && whole !== true) return;
    entry.file.patch = patch;
  }
}
