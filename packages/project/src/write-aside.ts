import { randomUUID } from "node:crypto";
import { type FileHandle, link, open, rename, rm } from "node:fs/promises";

/** Put a text in a file's place, so that a reader sees the old one or the new one, also after a crash. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await aside(path, text, (written) => rename(written, path));
}

/** Make a file with this text, whole from the beginning. False when there is one already, which stays as it is. */
export async function createFile(path: string, text: string): Promise<boolean> {
  try {
    await aside(path, text, (written) => link(written, path));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code !== undefined && withoutLinks.includes(code)) return await createPlainly(path, text);
    throw error;
  }
}

/** What file systems say that know no hard links: FAT, and some that are shared. */
const withoutLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

async function createPlainly(path: string, text: string): Promise<boolean> {
  try {
    await write(await open(path, "wx", 0o644), text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function aside(path: string, text: string, place: (written: string) => Promise<void>): Promise<void> {
  const written = `${path}.${randomUUID()}`;
  try {
    await write(await open(written, "wx", 0o644), text);
    await place(written);
  } finally {
    await rm(written, { force: true });
  }
}

async function write(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
