import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture, type Fixture } from "./fixture.ts";

const request = { title: '-t "$(id)" `x`', body: "Body\n\n$HOME ü\n", draft: false };
const page = "https://github.com/ada/engine/compare/main...ralph/work?expand=1";

/** A stand-in for `gh`: notes what it was called with, one file a call, and does as the script says. */
async function withGh(fixture: Fixture, script: string, address = "git@github.com:ada/engine.git") {
  const folder = join(fixture.folder, "bin");
  mkdirSync(folder);
  const calls = join(fixture.folder, "calls");
  mkdirSync(calls);
  writeFileSync(
    join(folder, "gh"),
    `#!/bin/sh
printf '%s\\0' "$@" > "${calls}/$2"
[ "$2" = create ] && cat > "${calls}/body"
${script}
`,
  );
  chmodSync(join(folder, "gh"), 0o755);
  fixture.git(["remote", "add", "origin", address]);
  const workspaces = fixture.again({ env: { ...fixture.env, PATH: `${folder}:${fixture.env.PATH}` } });
  const workspace = await workspaces.open(fixture.request());
  return {
    workspaces,
    workspace,
    called: (verb: string) =>
      existsSync(join(calls, verb)) ? readFileSync(join(calls, verb), "utf8").split("\0").slice(0, -1) : null,
    body: () => readFileSync(join(calls, "body"), "utf8"),
  };
}

const create = `[ "$2" = create ] && { echo "Creating pull request"; echo "https://github.com/ada/engine/pull/7"; exit 0; }`;

test("gh makes the pull request; title and body reach it as they are", async () => {
  using fixture = createFixture();
  const gh = await withGh(fixture, `${create}\necho "no pull requests found" >&2; exit 1`);
  const made = await gh.workspaces.pullRequest(gh.workspace, request);
  expect(made).toEqual({ kind: "created", url: "https://github.com/ada/engine/pull/7" });
  const place = ["--repo", "github.com/ada/engine"];
  expect(gh.called("view")).toEqual(["pr", "view", "ralph/work", "--json", "url,state", ...place]);
  const options = ["--head", "ralph/work", "--base", "main", "--title", request.title, "--body-file", "-"];
  expect(gh.called("create")).toEqual(["pr", "create", ...options, ...place]);
  expect(gh.body()).toBe(request.body);
});

test("a draft is asked for as one", async () => {
  using fixture = createFixture();
  const gh = await withGh(fixture, `${create}\nexit 1`);
  await gh.workspaces.pullRequest(gh.workspace, { ...request, draft: true });
  expect(gh.called("create")).toContain("--draft");
});

test("the open pull request there is, is found; a closed one does not count", async () => {
  for (const [state, kind] of [
    ["OPEN", "exists"],
    ["MERGED", "created"],
  ] as const) {
    using fixture = createFixture();
    const url = "https://github.com/ada/engine/pull/3";
    const gh = await withGh(fixture, `${create}\necho '{"url":"${url}","state":"${state}"}'`);
    const found = await gh.workspaces.pullRequest(gh.workspace, request);
    expect(found).toMatchObject({ kind });
    expect(gh.called("create") === null).toBe(kind === "exists");
  }
});

test("without gh, or when it is not logged in, the answer is the page where a human makes it", async () => {
  using fixture = createFixture();
  const gh = await withGh(fixture, 'echo "To get started with GitHub CLI, please run: gh auth login" >&2; exit 4');
  expect(await gh.workspaces.pullRequest(gh.workspace, request)).toEqual({ kind: "compare", url: page });
  const env = { ...fixture.env, PATH: "" };
  const without = fixture.again({ env, git: Bun.which("git") ?? "git" });
  expect(await without.pullRequest(gh.workspace, request)).toEqual({ kind: "compare", url: page });
});

test("gh is not asked about hosts that are not its own", async () => {
  using fixture = createFixture();
  const gh = await withGh(fixture, create, "git@gitlab.com:ada/engine.git");
  const { kind, url } = await gh.workspaces.pullRequest(gh.workspace, request);
  expect([kind, new URL(url).host]).toEqual(["compare", "gitlab.com"]);
  expect(gh.called("view")).toBeNull();
});

test("a host nobody knows, and no remote at all, are clear faults", async () => {
  using fixture = createFixture();
  const gh = await withGh(fixture, "exit 1", "git@example.org:ada/engine.git");
  const asking = gh.workspaces.pullRequest(gh.workspace, request);
  await expect(asking).rejects.toMatchObject({ code: "no_pull_request", data: { remote: "origin" } });
  const other = gh.workspaces.pullRequest(gh.workspace, { ...request, remote: "none" });
  await expect(other).rejects.toMatchObject({ code: "no_remote" });
});
