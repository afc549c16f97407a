import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLog } from "./task-log.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-log-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function linesOf(text: string, options: { lines?: number; suits?: (line: string) => boolean } = {}) {
  const path = join(folder, "whole.log");
  await writeFile(path, text);
  const shown: string[] = [];
  await readLog({ path, suits: () => true, show: (line) => shown.push(line), follow: null, ...options });
  return shown;
}

describe("reading a vault's log", () => {
  test("all lines in order, the last one also without an end", async () => {
    expect(await linesOf("one\ntwo\nthree")).toEqual(["one", "two", "three"]);
    expect(await linesOf("")).toEqual([]);
  });

  test("the newest of those that suit", async () => {
    const text = Array.from({ length: 100 }, (_, index) => `${index % 2 === 0 ? "a" : "b"} ${index}\n`).join("");
    expect(await linesOf(text, { lines: 2, suits: (line) => line.startsWith("a") })).toEqual(["a 96", "a 98"]);
  });

  test("letters that fall on the border of two pieces stay whole", async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `é${"x".repeat(index % 7)}`);
    expect(await linesOf(`${lines.join("\n")}\n`)).toEqual(lines);
  });

  test("one that is not there has no lines", async () => {
    const shown: string[] = [];
    const path = join(folder, "none.log");
    await readLog({ path, suits: () => true, show: (line) => shown.push(line), follow: null });
    expect(shown).toEqual([]);
  });

  test("following goes on over a log that comes to be, grows, is moved away, and is cut short", async () => {
    const path = join(folder, "followed.log");
    const shown: string[] = [];
    let ring = Promise.withResolvers<void>();
    const leaving = new AbortController();
    const reading = readLog({
      path,
      suits: () => true,
      show(line) {
        shown.push(line);
        ring.resolve();
      },
      follow: leaving.signal,
    });
    const comes = async (line: string) => {
      while (shown.at(-1) !== line) {
        await ring.promise;
        ring = Promise.withResolvers();
      }
    };
    await writeFile(path, "one\n");
    await comes("one");
    await appendFile(path, "two, in ");
    await appendFile(path, "pieces\n");
    await comes("two, in pieces");
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, "late\n");
    await writeFile(path, "three\n");
    await comes("three");
    await writeFile(path, "4\n");
    await comes("4");
    leaving.abort();
    await reading;
    expect(shown).toEqual(["one", "two, in pieces", "late", "three", "4"]);
  });
});
