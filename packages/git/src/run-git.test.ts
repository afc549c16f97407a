import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";
import { gitVersion, isAtLeast } from "./git-version.ts";
import { createGit } from "./run-git.ts";

test("arguments reach git as they are", async () => {
  using fixture = createFixture();
  const git = createGit({ env: fixture.env });
  const said = await git.output(["rev-parse", "--sq-quote", "a b", "$(id)", "`id`", "'", ""], {
    cwd: fixture.repository,
  });
  expect(said.trim()).toBe(`'a b' '$(id)' '\`id\`' ''\\''' ''`);
});

test("a full disk is told apart from other failures", async () => {
  using fixture = createFixture();
  const fake = join(fixture.folder, "full-disk");
  writeFileSync(fake, '#!/bin/sh\necho "error: file write error: No space left on device" >&2\nexit 128\n');
  chmodSync(fake, 0o755);
  const workspace = await fixture.workspaces.open(fixture.request());
  const saving = fixture.again({ git: fake }).save({ workspace, since: workspace.baseSha, message: "m" });
  await expect(saving).rejects.toMatchObject({ code: "disk_full", data: { path: workspace.directory } });
});

test("a child that keeps the output open does not hold up the answer", async () => {
  using fixture = createFixture();
  const fake = join(fixture.folder, "leaves-a-child");
  const pidFile = join(fixture.folder, "pid");
  writeFileSync(fake, `#!/bin/sh\nsleep 600 &\necho $! > '${pidFile}'\necho done\n`);
  chmodSync(fake, 0o755);
  const result = await createGit({ git: fake }).run([], { cwd: fixture.folder });
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  process.kill(Number(await Bun.file(pidFile).text()));
});

test("output beyond the limit is dropped, or ends the process", async () => {
  using fixture = createFixture({ files: { "a.txt": "x".repeat(500_000) } });
  const git = createGit({ env: fixture.env });
  const args = ["show", "HEAD:a.txt"];
  const call = { cwd: fixture.repository, maxBytes: 1_000 };
  expect(await git.run(args, call)).toMatchObject({ code: 0, stdout: "x".repeat(1_000) });
  expect(await git.output(args, { ...call, endAtLimit: true })).toBe("x".repeat(1_000));
});

test("the version of git is found, and versions are compared as numbers", async () => {
  const found = await gitVersion();
  expect(found?.version).toMatch(/^\d+\.\d+/);
  expect(found?.path).toBe(Bun.which("git") ?? "");
  expect(await gitVersion("no-such-git")).toBeNull();
  expect(["2.30", "2.30.1", "2.100.0", "3.0"].map((version) => isAtLeast(version, "2.30"))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["2.29.9", "1.99", "0"].map((version) => isAtLeast(version, "2.30"))).toEqual([false, false, false]);
});

test("a git that is too old is a clear fault", async () => {
  using fixture = createFixture();
  const old = join(fixture.folder, "old-git");
  writeFileSync(old, "#!/bin/sh\necho git version 2.20.1\n");
  chmodSync(old, 0o755);
  await expect(fixture.again({ git: old }).inspect(fixture.repository)).rejects.toMatchObject({
    code: "git_too_old",
    data: { version: "2.20.1", needed: "2.30" },
  });
});
