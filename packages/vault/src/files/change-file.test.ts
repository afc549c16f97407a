import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeFile } from "./change-file.ts";
import { readWhole } from "./read-whole.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-change-"));
  file = join(folder, "note.md");
});
afterEach(() => rm(folder, { recursive: true }));

const append = (text: string) => (bytes: Buffer) => ({
  next: Buffer.concat([bytes, Buffer.from(text)]),
  value: bytes.length,
});
const rested = () => utimesSync(file, new Date(0), new Date(0));

test("a change sees the file as it is, makes it longer or shorter, or leaves it", async () => {
  writeFileSync(file, "one");
  expect(await changeFile(file, append(" two"))).toEqual({ value: 3 });
  expect(readFileSync(file, "utf8")).toBe("one two");
  await changeFile(file, () => ({ next: Buffer.from("o"), value: 0 }));
  expect(readFileSync(file, "utf8")).toBe("o");
  rested();
  await changeFile(file, () => ({ next: null, value: 0 }));
  expect(statSync(file).mtimeMs).toBe(0);
});

test("where somebody keeps the file open it is swapped, and nothing is left lying about", async () => {
  writeFileSync(file, "one");
  rested();
  const reader = openSync(file, "r");
  try {
    expect(await changeFile(file, append(" two"))).toEqual({ value: 3 });
  } finally {
    closeSync(reader);
  }
  expect(readFileSync(file, "utf8")).toBe("one two");
  expect(await readdir(folder)).toEqual(["note.md"]);
});

test("a save that comes while the change is made is not lost, and the change is made to it", async () => {
  writeFileSync(file, "one");
  rested();
  const reader = openSync(file, "r");
  let saves = 0;
  try {
    await changeFile(file, (bytes) => {
      if (saves++ === 0) {
        writeFileSync(`${file}~`, "another");
        utimesSync(`${file}~`, new Date(0), new Date(0));
        renameSync(`${file}~`, file);
      }
      return append(" two")(bytes);
    });
  } finally {
    closeSync(reader);
  }
  expect(readFileSync(file, "utf8")).toBe("another two");
});

test("a file that is always saved just now is left to whoever saves it", async () => {
  writeFileSync(file, "0");
  const reader = openSync(file, "r");
  try {
    let saves = 0;
    const made = await changeFile(file, (bytes) => {
      writeFileSync(`${file}~`, String(++saves));
      utimesSync(`${file}~`, new Date(0), new Date(0));
      renameSync(`${file}~`, file);
      return append(" lost")(bytes);
    });
    expect(made).toBeNull();
    expect(readFileSync(file, "utf8")).toBe(String(saves));
    expect(saves).toBeGreaterThan(5);
  } finally {
    closeSync(reader);
  }
});

test("a file that is not there stays so", async () => {
  expect(await changeFile(file, append("x")).catch((error) => error.code)).toBe("ENOENT");
  expect(await readdir(folder)).toEqual([]);
});

const saver = `
const { closeSync, ftruncateSync, openSync, writeSync } = await import("node:fs");
const [file, text] = process.argv.slice(2);
console.log("begun");
for (let n = 0; n < 1000; n++) {
  const fd = openSync(file, "r+");
  ftruncateSync(fd, 0);
  writeSync(fd, text.slice(0, 10), 0);
  writeSync(fd, text, 0);
  closeSync(fd);
  Bun.sleepSync(n % 3);
}
`;

test("a file is never read in the middle of a save", async () => {
  const text = "whole ".repeat(50);
  writeFileSync(file, text);
  writeFileSync(join(folder, "saver.ts"), saver);
  const child = Bun.spawn([process.execPath, join(folder, "saver.ts"), file, text], { stderr: "inherit" });
  await child.stdout.getReader().read();
  let isOver = false;
  void child.exited.then(() => {
    isOver = true;
  });
  let reads = 0;
  while (!isOver) {
    const bytes = await readWhole(file, 1_000_000);
    // On a busy machine it may say that somebody keeps writing; half a file it never gives.
    if (!("why" in bytes)) {
      expect(bytes.toString()).toBe(text);
      reads++;
    }
    // Nothing above has to wait, and then nothing else would have its turn.
    await new Promise(setImmediate);
  }
  expect(await child.exited).toBe(0);
  expect(reads).toBeGreaterThan(10);
}, 30_000);
