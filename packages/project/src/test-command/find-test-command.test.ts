import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStage, type Stage } from "../stage.fixture.ts";
import { lookAround } from "../tree/look-around.ts";
import { findTestCommand } from "./find-test-command.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** The command for a folder with these files, where only these programs are on PATH. */
async function commandFor(files: Record<string, string>, programs: string[] = []): Promise<string | null> {
  const bin = await stage.folder();
  for (const program of programs) {
    await writeFile(join(bin, program), "#!/bin/sh\n");
    await chmod(join(bin, program), 0o755);
  }
  const directory = await stage.folder(files);
  return (await findTestCommand(directory, await lookAround(directory), bin))?.join(" ") ?? null;
}

const script = (test: string, more: object = {}) => JSON.stringify({ scripts: { test }, ...more });

test("nothing says how to run any", async () => {
  expect(await commandFor({ "README.md": "x", "src/a.ts": "" })).toBeNull();
});

test("a script of package.json is run in the way the lock file says", async () => {
  const by = (lock: string) => commandFor({ "package.json": script("vitest run"), [lock]: "" });
  expect(await by("bun.lock")).toBe("bun run test");
  expect(await by("bun.lockb")).toBe("bun run test");
  expect(await by("pnpm-lock.yaml")).toBe("pnpm test");
  expect(await by("yarn.lock")).toBe("yarn test");
  expect(await by("package-lock.json")).toBe("npm test --silent");
  expect(await by("other")).toBe("npm test --silent");
  expect(await commandFor({ "package.json": script("x", { packageManager: "pnpm@10.1.0" }) })).toBe("pnpm test");
});

test("what npm init writes is no test, and neither is a broken manifest", async () => {
  const stub = script('echo "Error: no test specified" && exit 1');
  for (const text of [stub, script(" "), "{}", "{ broken", "[]", '{"scripts":{"test":1}}', "null"]) {
    expect(await commandFor({ "package.json": text, "a.test.ts": "" }, ["bun"])).toBeNull();
    expect(await commandFor({ "package.json": text, "a.test.ts": "", "bun.lock": "" })).toBe("bun test");
  }
  expect(await commandFor({ "package.json": stub, "bun.lock": "", "src/a.ts": "" })).toBeNull();
});

test("tests without a manifest are Bun's where there is Bun", async () => {
  expect(await commandFor({ "src/a.test.ts": "" }, ["bun"])).toBe("bun test");
  expect(await commandFor({ "src/a.test.ts": "" })).toBeNull();
  expect(await commandFor({ "src/a.test.ts": "", "deno.json": "{}" }, ["bun"])).toBe("deno test");
});

test("Python's tests are run by pytest, in the project's own environment where it has one", async () => {
  const all = ["uv", "poetry", "pytest", "python3"];
  expect(await commandFor({ "pyproject.toml": "", "uv.lock": "" }, all)).toBe("uv run pytest");
  expect(await commandFor({ "pyproject.toml": "", "poetry.lock": "" }, all)).toBe("poetry run pytest");
  expect(await commandFor({ "pyproject.toml": "", ".venv/bin/pytest": "" }, all)).toBe(".venv/bin/pytest");
  for (const name of ["pyproject.toml", "pytest.ini", "setup.cfg", "tests/test_a.py", "test_a.py"]) {
    expect(await commandFor({ [name]: "" }, all)).toBe("pytest");
  }
});

test("where there is no pytest, a project that wants it says so, and any other has unittest", async () => {
  const only = ["python3"];
  expect(await commandFor({ "pyproject.toml": "[tool.pytest.ini_options]" }, only)).toBe("python3 -m pytest");
  expect(await commandFor({ "setup.py": "", "requirements-dev.txt": "pytest>=8" }, only)).toBe("python3 -m pytest");
  expect(await commandFor({ "test_a.py": "" }, only)).toBe("python3 -m unittest");
  expect(await commandFor({ "tests/test_a.py": "", "tests/__init__.py": "" }, only)).toBe("python3 -m unittest");
  expect(await commandFor({ "tests/test_a.py": "" }, only)).toBe("python3 -m unittest discover -s tests");
  expect(await commandFor({ "test_a.py": "" }, ["python"])).toBe("python -m unittest");
});

test("other languages have one way each", async () => {
  const ways: Record<string, string> = {
    "Cargo.toml": "cargo test --no-fail-fast",
    "go.mod": "go test ./...",
    "mix.exs": "mix test",
    gradlew: "./gradlew test --continue",
    "build.gradle.kts": "gradle test --continue",
    "pom.xml": "mvn --batch-mode test",
    "deno.jsonc": "deno test",
  };
  for (const [name, command] of Object.entries(ways)) expect(await commandFor({ [name]: "" })).toBe(command);
});

test("a Makefile counts when it has a target named test", async () => {
  for (const text of ["test:\n\ttrue\n", "all: x\n\ntest check : all\n\ttrue", "lint test:: x\n"]) {
    expect(await commandFor({ Makefile: text })).toBe("make test");
  }
  for (const text of ["check:\n\ttest: x", "test := x\n", "test-unit:\n", "# test:\n", ".PHONY: test\n"]) {
    expect(await commandFor({ Makefile: text })).toBeNull();
  }
});

test("a language's manifest goes before a Makefile, and what says nothing before what does", async () => {
  expect(await commandFor({ "go.mod": "", Makefile: "test:\n" })).toBe("go test ./...");
  expect(await commandFor({ "package.json": "{}", Makefile: "test:\n" })).toBe("make test");
});

test("a folder that is named like a manifest is none", async () => {
  const directory = await stage.folder();
  await mkdir(join(directory, "go.mod"));
  expect(await findTestCommand(directory, await lookAround(directory))).toBeNull();
});
