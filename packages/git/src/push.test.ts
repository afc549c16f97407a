import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";
import { withoutSecrets } from "./push.ts";

/** A bare repository to push to. */
function addRemote(fixture: Fixture, name = "origin"): string {
  const path = join(fixture.folder, `${name}.git`);
  mkdirSync(path);
  fixture.git(["init", "--quiet", "--bare"], path);
  fixture.git(["remote", "add", name, path]);
  return path;
}

async function worked(fixture: Fixture) {
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("c.txt", "the loop's\n", workspace.directory);
  const { head } = await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  return { workspace, head };
}

test("a branch is pushed under its own name, again when there is more, and as often as one likes", async () => {
  using fixture = createFixture();
  const origin = addRemote(fixture);
  const { workspace, head } = await worked(fixture);
  const answer = { remote: "origin", branch: "ralph/work", head, compareUrl: null };
  expect(await fixture.workspaces.push(workspace)).toEqual(answer);
  expect(await fixture.workspaces.push(workspace)).toEqual(answer);
  expect(fixture.git(["rev-parse", "refs/heads/ralph/work"], origin)).toBe(head);
  fixture.write("d.txt", "more\n", workspace.directory);
  const more = await fixture.workspaces.save({ workspace, since: head, message: "more" });
  expect(await fixture.workspaces.push(workspace)).toMatchObject({ head: more.head });
  expect(fixture.git(["for-each-ref", "--format=%(refname)"], origin)).toBe("refs/heads/ralph/work");
});

test("nothing on the remote is ever overwritten, whatever the settings say", async () => {
  using fixture = createFixture();
  const origin = addRemote(fixture);
  const { workspace } = await worked(fixture);
  await fixture.workspaces.push(workspace);
  fixture.git(["commit", "--quiet", "--amend", "-m", "another"], workspace.directory);
  fixture.git(["config", "remote.origin.push", "+refs/heads/*:refs/heads/*"]);
  fixture.git(["config", "push.followTags", "true"]);
  fixture.git(["tag", "-a", "-m", "t", "v1", "ralph/work"]);
  const there = fixture.git(["rev-parse", "ralph/work"], origin);
  await expect(fixture.workspaces.push(workspace)).rejects.toMatchObject({
    code: "push_failed",
    data: { branch: "ralph/work", remote: "origin", detail: expect.stringContaining("not here") },
  });
  expect(fixture.git(["rev-parse", "ralph/work"], origin)).toBe(there);
  expect(fixture.git(["tag"], origin)).toBe("");
});

test("the remote is the one the settings name, or the one that is asked for, by name only", async () => {
  using fixture = createFixture();
  const { workspace } = await worked(fixture);
  const remote = async (wanted?: string) => (await fixture.workspaces.push(workspace, wanted)).remote;
  await expect(remote()).rejects.toMatchObject({ code: "no_remote", data: { remote: null } });
  const path = addRemote(fixture, "mine");
  expect(await remote()).toBe("mine");
  addRemote(fixture);
  expect(await remote()).toBe("origin");
  fixture.git(["config", "branch.main.remote", "mine"]);
  expect(await remote()).toBe("mine");
  fixture.git(["config", "remote.pushDefault", "origin"]);
  expect(await remote()).toBe("origin");
  expect(await remote("mine")).toBe("mine");
  for (const none of ["other", path, "--mirror", ""]) {
    await expect(remote(none)).rejects.toMatchObject({ code: "no_remote", data: { remote: none } });
  }
});

test("nobody is asked for a password, and none is told", async () => {
  using fixture = createFixture();
  const { workspace } = await worked(fixture);
  const asked = join(fixture.folder, "asked");
  const askpass = join(fixture.folder, "askpass");
  writeFileSync(askpass, `#!/bin/sh\ntouch '${asked}'\n`);
  chmodSync(askpass, 0o755);
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response("no", { status: 401, headers: { "www-authenticate": "Basic realm=x" } }),
  });
  fixture.git(["remote", "add", "origin", `http://ada:hunter2@127.0.0.1:${server.port}/ada/engine.git`]);
  const env = { ...fixture.env, GIT_ASKPASS: askpass, SSH_ASKPASS: askpass };
  const pushing = fixture.again({ env }).push(workspace);
  await expect(pushing).rejects.toMatchObject({ code: "push_failed" });
  const told = await pushing.catch((error) => JSON.stringify(error));
  expect(told).not.toContain("hunter2");
  fixture.git(["remote", "add", "bare", `http://127.0.0.1:${server.port}/ada/engine.git`]);
  await expect(fixture.again({ env }).push(workspace, "bare")).rejects.toMatchObject({ code: "push_failed" });
  expect(await Bun.file(asked).exists()).toBe(false);
  expect(JSON.stringify(await fixture.workspaces.facts(workspace))).not.toContain("hunter2");
});

test("ssh is told to ask nobody, with whatever command is set for it", async () => {
  using fixture = createFixture();
  const { workspace } = await worked(fixture);
  const folder = join(fixture.folder, "bin");
  const said = join(fixture.folder, "said");
  mkdirSync(folder);
  writeFileSync(join(folder, "ssh"), `#!/bin/sh\necho "$@" >> '${said}'\nexit 255\n`);
  chmodSync(join(folder, "ssh"), 0o755);
  fixture.git(["remote", "add", "origin", "git@host.invalid:ada/engine.git"]);
  const env = { ...fixture.env, PATH: `${folder}:${fixture.env.PATH}` };
  const push = () => fixture.again({ env }).push(workspace);
  await expect(push()).rejects.toMatchObject({ code: "push_failed" });
  fixture.git(["config", "core.sshCommand", "ssh -i key"]);
  await expect(push()).rejects.toMatchObject({ code: "push_failed" });
  const [plain = "", own = ""] = readFileSync(said, "utf8").split("\n");
  expect(plain).toContain("-o BatchMode=yes");
  expect(own).toStartWith("-i key -o BatchMode=yes");
});

test("a remote that refuses is told in its own words", async () => {
  using fixture = createFixture();
  const origin = addRemote(fixture);
  const { workspace } = await worked(fixture);
  writeFileSync(join(origin, "hooks/pre-receive"), "#!/bin/sh\necho 'branches are frozen' >&2\nexit 1\n");
  chmodSync(join(origin, "hooks/pre-receive"), 0o755);
  await expect(fixture.workspaces.push(workspace)).rejects.toMatchObject({
    code: "push_failed",
    data: { detail: expect.stringContaining("branches are frozen") },
  });
});

test("secrets are taken out of addresses, and only those", () => {
  expect(withoutSecrets("fatal: 'https://a:b@c@host/x' and ssh://git@host/y, mail me@x.org")).toBe(
    "fatal: 'https://host/x' and ssh://host/y, mail me@x.org",
  );
});
