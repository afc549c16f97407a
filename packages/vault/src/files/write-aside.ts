import { randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Where a file is written before it takes its place: beside it, and hidden. */
export function asideOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
}

/** Put a text in a file's place, so that a reader sees the old one or the new one, also after a crash. */
export async function replaceFile(file: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await aside(file, text, (written) => rename(written, file));
}

/** Make a file with this text, whole from the beginning. False when there is one already, which stays as it is. */
export async function createFile(file: string, text: string): Promise<boolean> {
  // A folder's name that is a file's says EEXIST, too, and is taken for good.
  await mkdir(dirname(file), { recursive: true });
  try {
    await aside(file, text, (written) => link(written, file));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code !== undefined && withoutLinks.includes(code)) return await createPlainly(file, text);
    throw error;
  }
}

/** Make a file under the first free of these names. Its name. */
export async function createUnder(names: Iterable<string>, text: string): Promise<string> {
  for (const name of names) if (await createFile(name, text)) return name;
  throw new Error("the names ran out");
}

/** `report.md`, `report-2.md`, `report-3.md`, … without end. */
export function* numbered(stem: string, extension: string): Generator<string> {
  yield `${stem}${extension}`;
  for (let number = 2; ; number++) yield `${stem}-${number}${extension}`;
}

/** What file systems say that know no hard links: FAT, and some that are shared. */
const withoutLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

async function createPlainly(file: string, text: string): Promise<boolean> {
  try {
    await write(await open(file, "wx", 0o644), text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function aside(file: string, text: string | Uint8Array, place: (written: string) => Promise<void>) {
  const written = asideOf(file);
  try {
    await write(await open(written, "wx", 0o644), text);
    await place(written);
  } finally {
    await rm(written, { force: true });
  }
}

async function write(file: FileHandle, text: string | Uint8Array): Promise<void> {
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
