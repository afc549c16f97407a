import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";

const fresh = (fixture: Fixture, name = "fresh"): string => {
  mkdirSync(join(fixture.folder, name));
  return join(fixture.folder, name);
};

test("[L-BOOT-2] an empty folder gets a repository on main with an empty first commit, once", async () => {
  using fixture = createFixture();
  const folder = fresh(fixture);
  writeFileSync(join(folder, "Sodafile"), "# A tool\n");
  expect(await fixture.workspaces.prepareGround(folder)).toEqual({ repository: true, firstCommit: true });
  expect(fixture.git(["log", "--format=%s %an", "--name-only", "main"], folder)).toBe("Initial commit Ada");
  expect(fixture.git(["status", "--porcelain"], folder)).toBe("?? Sodafile");
  expect(await fixture.again().prepareGround(folder)).toEqual({ repository: false, firstCommit: false });
  expect(fixture.git(["rev-list", "--count", "HEAD"], folder)).toBe("1");
});

test("[L-BOOT-2] the first branch has the name that the user's settings say", async () => {
  using fixture = createFixture();
  const config = join(fixture.folder, "gitconfig");
  writeFileSync(config, "[init]\n\tdefaultBranch = trunk\n");
  const folder = fresh(fixture);
  await fixture.again({ env: { ...fixture.env, GIT_CONFIG_GLOBAL: config } }).prepareGround(folder);
  expect(fixture.git(["symbolic-ref", "--short", "HEAD"], folder)).toBe("trunk");
});

test("[L-BOOT-2] a repository without commits gets one; what was staged stays staged, and no hook is asked", async () => {
  using fixture = createFixture();
  const folder = fresh(fixture);
  fixture.git(["init", "--quiet", "--initial-branch=work"], folder);
  fixture.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n", folder);
  fixture.git(["config", "core.fileMode", "true"], folder);
  Bun.spawnSync(["chmod", "+x", join(folder, ".git/hooks/pre-commit")]);
  fixture.write("staged.txt", "s\n", folder);
  fixture.git(["add", "staged.txt"], folder);
  expect(await fixture.workspaces.prepareGround(folder)).toEqual({ repository: false, firstCommit: true });
  expect(fixture.git(["ls-tree", "work"], folder)).toBe("");
  expect(fixture.git(["status", "--porcelain"], folder)).toBe("A  staged.txt");
});

test("[L-BOOT-2] whoever has no name in git gets a first commit all the same", async () => {
  using fixture = createFixture();
  const { GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME, GIT_COMMITTER_EMAIL, ...env } = fixture.env;
  const folder = fresh(fixture);
  const config = join(fixture.folder, "gitconfig");
  writeFileSync(config, "[user]\n\tuseConfigOnly = true\n");
  await fixture.again({ env: { ...env, GIT_CONFIG_GLOBAL: config } }).prepareGround(folder);
  expect(fixture.git(["log", "--format=%an <%ae>"], folder)).toBe("Ralpher <ralpher@localhost>");
});

test("[L-BOOT-2] a folder of a repository, and a new branch of one that has commits, are ground already", async () => {
  using fixture = createFixture();
  const below = join(fixture.repository, "deep");
  mkdirSync(below);
  expect(await fixture.workspaces.prepareGround(below)).toEqual({ repository: false, firstCommit: false });
  fixture.git(["checkout", "--quiet", "--orphan", "other"]);
  expect(await fixture.workspaces.prepareGround(fixture.repository)).toEqual({ repository: false, firstCommit: false });
  expect(await fixture.workspaces.baseBranch(fixture.repository)).toBe("main");
});

test("[L-BOOT-2] a repository that a killed git left half made is made whole", async () => {
  using fixture = createFixture();
  const folder = fresh(fixture);
  fixture.git(["init", "--quiet"], folder);
  rmSync(join(folder, ".git/HEAD"));
  expect(await fixture.workspaces.prepareGround(folder)).toEqual({ repository: true, firstCommit: true });
});

test("[L-BOOT-2] where no loop can begin, it says why and changes nothing", async () => {
  using fixture = createFixture();
  const bare = fresh(fixture, "bare");
  fixture.git(["init", "--quiet", "--bare"], bare);
  const code = (folder: string) =>
    fixture.workspaces.prepareGround(folder).then(
      () => "none",
      (fault) => fault.code,
    );
  expect(await code(bare)).toBe("bare_repository");
  expect(await code(join(fixture.folder, "nowhere"))).toBe("directory_missing");
  expect(await code(join(fixture.repository, ".git"))).toBe("not_a_repository");
  fixture.git(["checkout", "--quiet", "--detach"]);
  expect(await code(fixture.repository)).toBe("detached_head");
});
