import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendingScript } from "./src/scripts.ts";
import { git, lastJson, openStage } from "./src/stage.ts";

const root = join(import.meta.dir, "..");
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-binary-"));
  const built = join(folder, "built");
  const build = Bun.spawn([process.execPath, join(root, "scripts/build-binary.ts"), "--outfile", built], {
    stdout: "ignore",
    stderr: "inherit",
  });
  expect(await build.exited).toBe(0);
  // Away from where it was built, so that nothing it needs can lie beside it.
  program = join(folder, "elsewhere", "ralpher");
  await Bun.write(program, "");
  await copyFile(built, program);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the single program", () => {
  test("[R-DEP-2] serves the dashboard that is inside it, compressed, to whoever asks", async () => {
    await using stage = await openStage(null, { program: [program] });
    const { url } = await stage.serve();
    const page = await fetch(url, { headers: { "accept-encoding": "br" } });
    expect(page.headers.get("content-encoding")).toBe("br");
    const html = await page.text();
    const script = /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? "";
    const code = await fetch(url + script);
    expect(code.status).toBe(200);
    expect(code.headers.get("content-type")).toStartWith("text/javascript");
    expect((await code.text()).length).toBeGreaterThan(10_000);
    expect((await fetch(`${url}/assets/../../../etc/passwd`)).headers.get("content-type")).toStartWith("text/html");
  });

  test("[R-DEP-2, R-RUN-3] runs a loop with the real opencode to its promise and merges it", async () => {
    await using stage = await openStage(appendingScript(2), { program: [program] });
    const run = await stage.run([
      ...["loop", "run", "--dir", stage.repository, "--prompt", "Add lines."],
      ...["--model", "scripted/model", "--json"],
    ]);
    expect(run).toMatchObject({ code: 0 });
    const { config } = lastJson(run.out);
    expect(await stage.run(["loop", "accept", config.id])).toMatchObject({ code: 0 });
    expect(await Bun.file(join(stage.repository, "notes.txt")).text()).toBe("one\nline 1\nline 2\n");
    expect(await git(stage.repository, "status", "--porcelain")).toBe("");
  });

  test("[R-DEP-2] lays out a vault, and works a task of it off", async () => {
    await using stage = await openStage(null, { program: [program] });
    const vault = join(stage.folder, "vault");
    expect(await stage.run(["task", "init", vault])).toMatchObject({ code: 0 });
    const example = join(root, "docs/examples/task");
    await copyFile(join(example, "numbers.md"), join(vault, "Specs", "numbers.md"));
    const script = ["--agent", "scripted", "--script", join(example, "script.yaml")];
    const run = await stage.run(["task", "start", "Specs/numbers.md", ...script], {}, vault);
    expect(run).toMatchObject({ code: 0 });
    expect(await Bun.file(join(vault, "Done", "numbers.md")).text()).not.toContain("[ ]");
  });

  test("[R-DEP-2, W-1] is soda and trc too, by the name it is called or by its first word", async () => {
    await using stage = await openStage(null, { program: [program] });
    for (const name of ["soda", "trc"]) {
      const link = join(stage.bin, name);
      await symlink(program, link);
      const called = Bun.spawn([link, "--help"], { env: stage.env, stdout: "pipe" });
      expect(await new Response(called.stdout).text()).toStartWith(`Usage: ${name} `);
      expect((await stage.run([name, "--help"])).out).toMatch(new RegExp(`^Usage: (ralpher )?${name} `));
    }
    expect((await stage.run(["--help"])).out).toStartWith("Usage: ralpher ");
  });

  test("[R-DEP-2] does not read what a stranger's project would configure Bun with", async () => {
    await using stage = await openStage(null, { program: [program] });
    await Bun.write(join(stage.folder, ".env"), "RALPHER_DATA_DIR=/nonexistent/from-dot-env\n");
    await Bun.write(join(stage.folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
    const listed = await stage.run(["loop", "list", "--json"], {}, stage.folder);
    expect(listed).toMatchObject({ code: 0, err: "" });
  });
});
