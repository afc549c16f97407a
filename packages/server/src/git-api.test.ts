import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git, openGround, openLab, type Play, said } from "@ralpher/loop/lab";
import { serve } from "./stage.fixture.ts";

/** Three iterations, and one at every start after that; each adds a file of its own and rewrites the plan. */
const play: Play = async function* ({ request, prompt }) {
  const n = /This is iteration (\d+)/.exec(prompt)?.[1] ?? "?";
  await mkdir(join(request.directory, ".planning"), { recursive: true });
  await writeFile(join(request.directory, `work-${n}.txt`), `work ${n}\n`);
  await writeFile(join(request.directory, ".planning/plan.md"), `# Plan ${n}\n`);
  yield { type: "message.complete", messageId: `m${n}`, kind: "text", text: `part ${n}` };
  return said(Number(n) >= 3 ? "<promise>COMPLETE</promise>" : `part ${n}`);
};

async function openAll(options: { play?: Play; git?: { enabled: boolean } } = {}) {
  const ground = await openGround();
  const lab = openLab({ ...ground, play: options.play ?? play });
  const { server, bugs } = serve(lab.hub);
  const { config } = await lab.create(ground.repository, {
    name: "Engine",
    prompt: "Mend it.",
    ...(options.git === undefined ? {} : { git: options.git }),
    start: {},
  });
  const { id } = await lab.atRest(config.id);
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}/api/loops/${id}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const view = await lab.hub.require(id);
  const workspace = view.workspace;
  return {
    ...ground,
    lab,
    id,
    bugs,
    call,
    get: async (path: string) => (await call("GET", path)).body,
    status: async () => (await call("GET", "")).body.state.status,
    in: (...args: string[]) => git(ground.repository, ...args),
    /** Commit something on the branch that is checked out in the user's repository. */
    async commit(path: string, content: string) {
      await writeFile(join(ground.repository, path), content);
      await git(ground.repository, "add", "-A");
      await git(ground.repository, "commit", "-q", "-m", `user: ${path}`);
      return git(ground.repository, "rev-parse", "HEAD");
    },
    directory: workspace?.directory ?? "",
    branch: workspace !== null && workspace.kind !== "plain" ? workspace.workingBranch : "",
    commits: view.commits.map(({ sha }) => sha),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
      expect(bugs).toEqual([]);
    },
  };
}

const paths = (files: { path: string }[]) => files.map(({ path }) => path);

describe("deciding about the work", () => {
  test("[R-API-1, R-GIT-5] accept with squash makes one commit, and tells which", async () => {
    await using all = await openAll();
    const main = await all.in("rev-parse", "main");
    expect((await all.call("POST", "/accept", { squash: "yes" })).status).toBe(400);
    const { status, body } = await all.call("POST", "/accept", { squash: true });
    expect([status, body.success]).toEqual([200, true]);
    expect(body.mergeCommit).toBe(await all.in("rev-parse", "main"));
    expect(await all.in("log", "--format=%P", "-1", "main")).toBe(main);
    const message = await all.in("log", "--format=%B", "-1", "main");
    expect(message).toStartWith("Engine\n\n* [Ralph] Iteration 1: part 1\n* [Ralph] Iteration 2");
    expect(message).toContain(`Squashed-from: ${all.commits.at(-1)}`);
    const again = await all.call("POST", "/accept", { squash: true });
    expect(again.body).toEqual(body);
    expect(await all.in("rev-list", "--count", "main")).toBe("2");
  });

  test("[R-GIT-5] accept works beside unrelated uncommitted changes, and refuses where it would touch them", async () => {
    await using all = await openAll();
    await writeFile(join(all.repository, "README.md"), "being edited\n");
    await writeFile(join(all.repository, "work-2.txt"), "mine\n");
    const refused = await all.call("POST", "/accept", { squash: true });
    expect([refused.status, refused.body.error, refused.body.files]).toEqual([409, "target_not_clean", ["work-2.txt"]]);
    expect(await all.status()).toBe("completed");
    await rm(join(all.repository, "work-2.txt"));
    expect((await all.call("POST", "/accept", { squash: true })).status).toBe(200);
    expect(await all.in("status", "--porcelain")).toBe(" M README.md");
  });

  for (const method of ["merge", "rebase"]) {
    test(`[R-GIT-5, R-API-1] update-branch by ${method} brings the target's commits in`, async () => {
      await using all = await openAll();
      const target = await all.commit("other.txt", "theirs\n");
      await writeFile(join(all.directory, "left.txt"), "in no commit yet\n");
      expect((await all.get("/git")).git).toMatchObject({ ahead: 3, behind: 1, uncommitted: 1 });
      const { status, body } = await all.call("POST", "/update-branch", { method });
      expect([status, body]).toEqual([200, { success: true, head: await all.in("rev-parse", all.branch) }]);
      expect((await all.get("/git")).git).toMatchObject({ behind: 0, uncommitted: 0, head: body.head });
      expect((await all.get("")).state.git).toMatchObject({ baseSha: target, commitCount: 4 });
      expect(paths(await all.get("/diff"))).toEqual([
        ".planning/plan.md",
        "left.txt",
        "work-1.txt",
        "work-2.txt",
        "work-3.txt",
      ]);
      expect((await all.call("POST", "/update-branch", { method })).body).toEqual(body);
      expect((await all.call("POST", "/accept")).status).toBe(200);
      expect(await readFile(join(all.repository, "left.txt"), "utf8")).toBe("in no commit yet\n");
    });

    test(`[R-GIT-5] a conflict by ${method} names the files and keeps everything as it was`, async () => {
      await using all = await openAll();
      await all.commit("work-2.txt", "theirs\n");
      await writeFile(join(all.repository, "README.md"), "being edited\n");
      const state = async () => [
        await all.in("for-each-ref"),
        await all.in("status", "--porcelain"),
        await git(all.directory, "status", "--porcelain"),
        (await all.get("")).state,
        (await all.get("/git")).git,
      ];
      const before = await state();
      const { status, body } = await all.call("POST", "/update-branch", { method });
      expect(status).toBe(409);
      expect(body).toMatchObject({
        error: "merge_conflict",
        branch: all.branch,
        target: "main",
        files: ["work-2.txt"],
      });
      expect(await state()).toEqual(before);
      const merge = await all.call("POST", "/accept", { squash: true });
      expect([merge.status, merge.body.files]).toEqual([409, ["work-2.txt"]]);
      expect(await state()).toEqual(before);
    });
  }

  test("[R-GIT-5] an updated loop goes on from there", async () => {
    await using all = await openAll();
    await all.commit("other.txt", "theirs\n");
    await all.call("POST", "/update-branch", { method: "rebase" });
    await all.call("POST", "/start");
    await all.lab.atRest(all.id as never);
    const { state } = await all.get("");
    expect([state.status, state.currentIteration]).toEqual(["completed", 4]);
    expect(await readFile(join(all.directory, "other.txt"), "utf8")).toBe("theirs\n");
    expect(paths(await all.get("/diff?iteration=4"))).toEqual([".planning/plan.md", "work-4.txt"]);
  }, 20_000);

  test("[R-API-5, R-GIT-6] wrong methods are 400, wrong moments 409", async () => {
    await using all = await openAll();
    for (const body of [{}, { method: "octopus" }, { method: "merge", force: true }]) {
      expect((await all.call("POST", "/update-branch", body)).status).toBe(400);
    }
    expect((await all.call("POST", "/restore")).body).toMatchObject({ error: "illegal_transition" });
    await all.call("POST", "/discard");
    for (const [path, body] of [
      ["/update-branch", { method: "merge" }],
      ["/accept", {}],
      ["/push", {}],
      ["/pull-request", {}],
    ] as const) {
      expect([path, (await all.call("POST", path, body)).status]).toEqual([path, 409]);
    }
  });

  test("[R-API-1, R-GIT-5] a target that was renamed is replaced by one that is there, and the work goes there", async () => {
    await using all = await openAll();
    await all.in("branch", "-m", "main", "trunk");
    const gone = await all.call("POST", "/accept");
    expect([gone.status, gone.body.error, gone.body.branch]).toEqual([409, "branch_missing", "main"]);
    for (const target of ["main", "no good", "-x", ""]) {
      const { status, body } = await all.call("PATCH", "", { target });
      expect([target, status, body.issues?.[0]?.path]).toEqual([target, 400, "target"]);
    }
    const { status, body } = await all.call("PATCH", "", { target: "trunk" });
    expect([status, body.state.git.originalBranch]).toEqual([200, "trunk"]);
    expect((await all.call("POST", "/accept")).body.mergeCommit).toBe(await all.in("rev-parse", "trunk"));
    const late = await all.call("PATCH", "", { target: "trunk" });
    expect([late.status, late.body.error]).toEqual([409, "illegal_transition"]);
  });

  test("[R-API-2] the changes of a discarded loop are refused with what to do first", async () => {
    await using all = await openAll();
    await all.call("POST", "/discard");
    const { status, body } = await all.call("GET", "/diff");
    expect([status, body.error]).toEqual([409, "illegal_transition"]);
    expect(body.message).toContain(`ralpher loop restore ${all.id.slice(0, 8)}`);
    expect(paths(await all.get(`/diff?commit=${all.commits[0]}`))).toContain("work-1.txt");
    await all.call("POST", "/restore");
    expect((await all.call("GET", "/diff")).status).toBe(200);
  });

  test("[R-GIT-6] a discard is undone with all that was there, and the work can be accepted", async () => {
    await using all = await openAll();
    await writeFile(join(all.directory, "left.txt"), "in no commit\n");
    expect((await all.get("/git")).git.restorable).toBe(false);
    await all.call("POST", "/discard");
    expect(await all.status()).toBe("discarded");
    expect((await all.get("/git")).git).toMatchObject({ head: null, restorable: true });
    expect((await all.call("POST", "/restore")).body).toEqual({ success: true });
    expect(await all.status()).toBe("stopped");
    expect((await all.get("/git")).git).toMatchObject({ restorable: false, ahead: 4 });
    expect(paths(await all.get("/diff"))).toContain("left.txt");
    expect((await all.call("POST", "/accept")).status).toBe(200);
    expect(await readFile(join(all.repository, "left.txt"), "utf8")).toBe("in no commit\n");
  });

  test("[R-GIT-6] a restored loop can be started again", async () => {
    await using all = await openAll();
    await all.call("POST", "/discard");
    await all.call("POST", "/restore");
    expect((await all.call("POST", "/start")).status).toBe(200);
    await all.lab.atRest(all.id as never);
    expect(await readFile(join(all.directory, "work-1.txt"), "utf8")).toBe("work 1\n");
    expect((await all.get("")).state).toMatchObject({ status: "completed", currentIteration: 4 });
  }, 20_000);
});

describe("sharing the branch", () => {
  async function addOrigin(all: { folder: string; in: (...args: string[]) => Promise<string> }) {
    const origin = join(all.folder, "origin.git");
    await mkdir(origin);
    await git(origin, "init", "-q", "--bare");
    await all.in("remote", "add", "origin", origin);
    return origin;
  }

  test("[R-API-1] push tells where the branch went, and records it", async () => {
    await using all = await openAll();
    const none = await all.call("POST", "/push");
    expect([none.status, none.body.error]).toEqual([409, "no_remote"]);
    const origin = await addOrigin(all);
    const head = await all.in("rev-parse", all.branch);
    const answer = { remote: "origin", branch: all.branch, head, compareUrl: null };
    expect((await all.call("POST", "/push", { remote: "origin" })).body).toEqual(answer);
    expect(await git(origin, "rev-parse", all.branch)).toBe(head);
    expect((await all.get("/git")).git).toMatchObject({ remote: "origin", pushed: true });
    const [event] = await all.lab.hub.read({ loopId: all.id, types: ["loop.pushed"] });
    expect(event).toMatchObject({ remote: "origin", branch: all.branch, head });
    const other = await all.call("POST", "/push", { remote: origin });
    expect([other.status, other.body.error]).toEqual([409, "no_remote"]);
  });

  test("[R-API-1] a pull request is pushed first, made once, and shown with the loop", async () => {
    const path = process.env.PATH;
    const folder = await openGround();
    try {
      const url = "https://github.com/ada/engine/pull/7";
      const made = join(folder.folder, "made");
      const body = join(folder.folder, "body");
      const gh = join(folder.folder, "gh");
      await writeFile(
        gh,
        `#!/bin/sh
case $2 in
  view) [ -f '${made}' ] && echo '{"url":"${url}","state":"OPEN"}' || exit 1 ;;
  create) printf '%s\\n' "$@" > '${made}'; cat > '${body}'; echo '${url}' ;;
esac
`,
      );
      await chmod(gh, 0o755);
      process.env.PATH = `${folder.folder}:${path}`;
      await using all = await openAll();
      const origin = await addOrigin(all);
      expect((await all.call("POST", "/pull-request")).body).toEqual({ kind: "created", url });
      expect(await git(origin, "rev-parse", all.branch)).toBe(await all.in("rev-parse", all.branch));
      expect((await readFile(made, "utf8")).split("\n")).toContain("Engine");
      const text = await readFile(body, "utf8");
      expect(text).toStartWith("Mend it.\n");
      expect(text).toContain("3 iterations, 3 commits");
      expect(text).toContain(`- ${all.commits[0]?.slice(0, 10)} [Ralph] Iteration 1: part 1`);
      expect((await all.call("POST", "/pull-request", { title: "T" })).body).toEqual({ kind: "exists", url });
      expect((await all.get("")).state.pullRequest).toBe(url);
      const types = (await all.lab.hub.read({ loopId: all.id })).map(({ type }) => type);
      expect(types.slice(-2)).toEqual(["loop.pushed", "loop.pull_request"]);
    } finally {
      process.env.PATH = path;
      await folder[Symbol.asyncDispose]();
    }
  });

  test("a loop without git has no facts, no changes, and nothing to push", async () => {
    await using all = await openAll({ git: { enabled: false } });
    expect(await all.get("/git")).toEqual({ git: null });
    expect(await all.get("/diff")).toEqual([]);
    expect((await all.call("POST", "/push")).body.error).toBe("illegal_transition");
    expect(await all.get("/plan")).toEqual({ content: "# Plan 3\n" });
    expect(await all.get(`/plan?commit=${"0".repeat(40)}`)).toEqual({ content: null });
  });
});

describe("looking at the work", () => {
  test("[R-API-2] the diff in all, of a commit, of an iteration, and of one file", async () => {
    await using all = await openAll();
    expect(paths(await all.get("/diff"))).toEqual([".planning/plan.md", "work-1.txt", "work-2.txt", "work-3.txt"]);
    const second = [".planning/plan.md", "work-2.txt"];
    expect(paths(await all.get(`/diff?commit=${all.commits[1]}`))).toEqual(second);
    expect(paths(await all.get("/diff?iteration=2"))).toEqual(second);
    expect(await all.get("/diff?iteration=9")).toEqual([]);
    const [plan] = await all.get("/diff?iteration=2&path=.planning/plan.md");
    expect(plan.patch).toContain("-# Plan 1\n+# Plan 2\n");
    const bare = await all.get("/diff?patches=false");
    expect(bare.map((file: { patch?: string }) => file.patch)).toEqual(Array(4).fill(undefined));
    expect(bare[0].blob).toMatch(/^[0-9a-f]{40}$/);
    for (const query of ["commit=main", "commit=--help", "iteration=0", `iteration=1&commit=${all.commits[0]}`]) {
      expect([query, (await all.call("GET", `/diff?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await all.call("GET", `/diff?commit=${"0".repeat(40)}`)).status).toBe(404);
  });

  test("[R-API-2] large patches are left out until they are asked for", async () => {
    await using all = await openAll();
    await writeFile(join(all.directory, "a-large.txt"), "0123456789\n".repeat(20_000));
    for (let n = 0; n < 8; n++) await writeFile(join(all.directory, `b-${n}.txt`), "0123456789\n".repeat(15_000));
    const files: { path: string; patch?: string; additions: number }[] = await all.get("/diff");
    const withPatch = files.filter(({ patch }) => patch !== undefined).map(({ path }) => path);
    expect(withPatch).toEqual([".planning/plan.md", ...[0, 1, 2, 3, 4].map((n) => `b-${n}.txt`)]);
    expect(files.find(({ path }) => path === "a-large.txt")).toMatchObject({ additions: 20_000, binary: false });
    for (const path of ["a-large.txt", "b-7.txt"]) {
      expect((await all.get(`/diff?path=${path}`))[0].patch).toContain("+0123456789\n");
    }
  });

  test("[R-API-2] plan and status as they are, and as a commit has them", async () => {
    await using all = await openAll();
    expect(await all.get("/plan")).toEqual({ content: "# Plan 3\n" });
    expect(await all.get(`/plan?commit=${all.commits[0]}`)).toEqual({ content: "# Plan 1\n" });
    expect(await all.get(`/status-file?commit=${all.commits[0]}`)).toEqual({ content: null });
    await all.call("POST", "/accept");
    expect(await all.get("/plan")).toEqual({ content: "# Plan 3\n" });
    expect(await all.get(`/plan?commit=${all.commits[2]}`)).toEqual({ content: "# Plan 3\n" });
    expect((await all.call("GET", "/plan?commit=HEAD")).status).toBe(400);
    expect((await all.call("GET", `/plan?commit=${"1".repeat(40)}`)).status).toBe(404);
  });

  test("[R-API-2] a plan that is no text, or far too large, is a clear refusal", async () => {
    await using all = await openAll();
    const at = async (content: string) => {
      await writeFile(join(all.directory, ".planning/plan.md"), content);
      await git(all.directory, "add", "-A");
      await git(all.directory, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "plan");
      return all.call("GET", `/plan?commit=${await git(all.directory, "rev-parse", "HEAD")}`);
    };
    for (const content of ["a\0b", "x".repeat(1_100_000)]) {
      const { status, body } = await at(content);
      expect([status, body.error]).toEqual([413, "too_large"]);
    }
  });
});

describe("nothing outside of the workspace can be read", () => {
  const secret = "the-secret-of-this-machine";

  /** Replace a file below .planning by a link. */
  async function linked(all: { directory: string; folder: string }, link: string, target: string) {
    await writeFile(join(all.folder, "plan.md"), secret);
    await writeFile(join(all.folder, "status.md"), secret);
    await rm(join(all.directory, link), { recursive: true, force: true });
    await symlink(target, join(all.directory, link));
  }

  test("[R-API-2] not through a link in place of the file, or of its folder, now or in a commit", async () => {
    for (const [link, target] of [
      [".planning/plan.md", "../../../../plan.md"],
      [".planning/plan.md", "ABSOLUTE"],
      [".planning/plan.md", "/etc/passwd"],
      [".planning/plan.md", "../.git"],
      [".planning", "../../.."],
      [".planning", "/etc"],
    ] as const) {
      await using all = await openAll();
      await linked(all, link, target === "ABSOLUTE" ? join(all.folder, "plan.md") : target);
      expect([link, target, (await all.get("/plan")).content]).toEqual([link, target, null]);
      expect((await all.get("/status-file")).content).toBeNull();
      const text = JSON.stringify(await all.get("/diff"));
      expect(text).not.toContain(secret);
      expect(text).not.toContain("root:");
      await git(all.directory, "add", "-A");
      await git(all.directory, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "link");
      const commit = await git(all.directory, "rev-parse", "HEAD");
      expect((await all.get(`/plan?commit=${commit}`)).content).toBeNull();
      expect(JSON.stringify(await all.get(`/diff?commit=${commit}`))).not.toContain(secret);
    }
  }, 60_000);

  test("[R-API-2] not through git's own files, where passwords may be", async () => {
    await using all = await openAll();
    await all.in("config", "remote.origin.url", `http://ada:${secret}@127.0.0.1:1/x/y`);
    await rm(join(all.directory, ".planning"), { recursive: true });
    await symlink(join(all.repository, ".git"), join(all.directory, ".planning"));
    await writeFile(join(all.repository, ".git/plan.md"), secret);
    expect((await all.get("/plan")).content).toBeNull();
    for (const path of ["/git", "/diff", "/plan"]) expect(JSON.stringify(await all.get(path))).not.toContain(secret);
    const pushed = await all.call("POST", "/push", {});
    expect(pushed.body.error).toBe("push_failed");
    expect(JSON.stringify(pushed.body)).not.toContain(secret);
  });

  test("[R-API-2] not through the path of a diff", async () => {
    await using all = await openAll();
    await writeFile(join(all.folder, "secret.txt"), secret);
    await writeFile(join(all.directory, "also.txt"), "seen\n");
    for (const path of [
      "../secret.txt",
      "../../../secret.txt",
      join(all.folder, "secret.txt"),
      "/etc/passwd",
      ".git",
      ".git/config",
      ":(top)also.txt",
      ":/",
      "*",
      "--no-index",
      "also.txt/../also.txt",
      "also.txt\0",
    ]) {
      const { status, body } = await all.call("GET", `/diff?path=${encodeURIComponent(path)}`);
      expect([path, status, body]).toEqual([path, 200, []]);
    }
    expect((await all.call("GET", "/diff?path=")).status).toBe(400);
    expect(paths(await all.get("/diff?path=also.txt"))).toEqual(["also.txt"]);
  });
});
