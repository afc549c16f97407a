import { afterAll, beforeAll, expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { openStage, type Stage } from "../stage.fixture.ts";
import { lookAround } from "./look-around.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const look = async (names: string[], text = "") =>
  await stage.projects.survey(await stage.folder(Object.fromEntries(names.map((name) => [name, text]))));

test("[L-KICK-1] a folder without code has none: not by its papers, its settings, or what was installed", async () => {
  const nothing = { has_code: false, has_tests: false, test_command: null };
  expect(await look([])).toEqual({ ...nothing, manifests: [] });
  expect(
    await look(["README.md", "Sodafile", "docs/a.md", "vite.config.ts", ".eslintrc.js", ".github/x.sh", ".gitignore"]),
  ).toEqual({ ...nothing, manifests: [] });
  expect(await look(["package.json", "node_modules/a/index.js", "dist/a.js", ".venv/lib/a.py"])).toEqual({
    ...nothing,
    manifests: ["package.json"],
  });
  expect(await stage.projects.survey(join(stage.root, "gone"))).toEqual({ ...nothing, manifests: [] });
});

test("[L-KICK-3] code and tests are found wherever they are", async () => {
  const has = async (...names: string[]) => {
    const { has_code, has_tests } = await look(names);
    return [has_code, has_tests];
  };
  expect(await has("src/a/b/c/d/e/main.go")).toEqual([true, false]);
  expect(await has("index.html")).toEqual([true, false]);
  for (const name of [
    "src/a.test.ts",
    "a_test.go",
    "tests/calc.py",
    "deep/down/in/it/test_calc.py",
    "src/test/java/CalcTest.java",
    "lib/__tests__/a.jsx",
    "spec/calc_spec.rb",
  ]) {
    expect([name, ...(await has("src/main.py", name))]).toEqual([name, true, true]);
  }
  expect(await has("src/latest.py", "src/contest.go", "src/attest.ts", "tests/data.json")).toEqual([true, false]);
});

test("[L-KICK-3] Rust's tests are found among its code", async () => {
  expect(await look(["src/lib.rs"], "fn a() {}")).toMatchObject({ has_code: true, has_tests: false });
  expect(await look(["src/lib.rs"], "#[cfg(test)]\nmod tests {}")).toMatchObject({ has_code: true, has_tests: true });
});

test("manifests are told from the folder on, the nearest first", async () => {
  const { manifests } = await look(["packages/b/Cargo.toml", "packages/a/package.json", "Makefile", "a/b/c/go.mod"]);
  expect(manifests).toEqual(["Makefile", "packages/a/package.json", "packages/b/Cargo.toml"]);
});

test("links are not followed, not even in a circle", async () => {
  const directory = await stage.folder({ "a/readme.md": "" });
  await symlink(directory, join(directory, "a", "again"));
  expect((await stage.projects.survey(directory)).has_code).toBe(false);
});

test("of a very large tree only a part is looked at", async () => {
  const papers = Array.from({ length: 30 }, (_, n): [string, string] => [`papers/${n}.txt`, ""]);
  const directory = await stage.folder({ ...Object.fromEntries(papers), "papers/deep/main.py": "" });
  // The folder itself, the thirty papers, and the one below them; then the code.
  expect((await lookAround(directory, 32)).hasCode).toBe(false);
  expect((await lookAround(directory, 33)).hasCode).toBe(true);
});

test("a command that somebody named is the one", async () => {
  const directory = await stage.folder({ "go.mod": "" });
  expect((await stage.projects.survey(directory, "make check")).test_command).toBe("make check");
  expect((await stage.projects.survey(directory)).test_command).toBe("go test ./...");
});
