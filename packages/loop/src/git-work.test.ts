import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Command, type GitWorkspace, isFault, type LoopId } from "@ralpher/contract";
import { createWorkspaces } from "@ralpher/git";
import { git, openGround, openLab, type Play, said } from "../test/lab.ts";
import { PaperLoop } from "../test/paper-loop.ts";
import { requireAllowed } from "./decide.ts";

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no fault",
    (error) => (isFault(error) ? error.code : error),
  );

/** Adds a file of its own in every iteration; ends with the second. */
const worker: Play = async function* ({ request, prompt }) {
  const n = /This is iteration (\d+)/.exec(prompt)?.[1] ?? "?";
  yield { type: "notice", text: "working" };
  await writeFile(join(request.directory, `work-${n}.txt`), `${n}\n`);
  return said(Number(n) >= 2 ? "<promise>COMPLETE</promise>" : "more");
};

async function openWorked(play: Play = worker, config: { isolation?: "checkout" } = {}) {
  const ground = await openGround();
  const lab = openLab({ ...ground, play });
  const { id } = await lab.create(ground.repository, { git: config, start: {} });
  const { workspace } = await lab.atRest(id);
  if (workspace === null || workspace.kind === "plain") throw new Error("no workspace");
  return {
    ...ground,
    lab,
    id,
    workspace: workspace satisfies GitWorkspace,
    dispatch: (command: Command) => lab.hub.dispatch(command),
    in: (...args: string[]) => git(ground.repository, ...args),
    async commit(path: string, content: string) {
      await writeFile(join(ground.repository, path), content);
      await git(ground.repository, "add", "-A");
      await git(ground.repository, "commit", "-q", "-m", path);
    },
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
    },
  };
}

test("[R-GIT-5] a squash that was made and not recorded is found again, not made twice", async () => {
  await using all = await openWorked();
  const another = createWorkspaces({ root: join(all.folder, "data", "worktrees") });
  const made = await another.accept(all.workspace, "lab", { squash: true });
  const view = await all.dispatch({ type: "accept", loopId: all.id, squash: true });
  expect(made).toEqual({ kind: "merged", sha: view?.phase.status === "accepted" ? view.phase.mergeCommit : "" });
  expect(await all.in("rev-list", "--count", "main")).toBe("2");
});

test("[R-GIT-6] a loop whose discard died halfway goes on with all of its work", async () => {
  await using all = await openWorked();
  await createWorkspaces({ root: join(all.folder, "data", "worktrees") }).discard(all.workspace);
  await all.dispatch({ type: "start", loopId: all.id });
  await all.lab.until(all.id, ({ iteration, phase }) => iteration === 3 && phase.status === "completed");
  expect((await all.in("ls-tree", "--name-only", all.workspace.workingBranch)).split("\n")).toEqual([
    ...["README.md", "work-1.txt", "work-2.txt", "work-3.txt"],
  ]);
});

test("[R-GIT-5] an update that was made and not recorded is recorded when asked again", async () => {
  await using all = await openWorked();
  await all.commit("other.txt", "theirs\n");
  const another = createWorkspaces({ root: join(all.folder, "data", "worktrees") });
  const made = await another.updateBranch(all.workspace, "rebase");
  const view = await all.dispatch({ type: "update-branch", loopId: all.id, method: "rebase" });
  expect(view?.workspace).toMatchObject({ baseSha: await all.in("rev-parse", "main") });
  expect(made).toMatchObject({ head: view?.head ?? "" });
  expect(view?.phase.status).toBe("completed");
});

for (const method of ["merge", "rebase"] as const) {
  test(`[R-DATA-2, R-GIT-5] a ${method} of the target that was made and not recorded is found by the next start: its commits are not the loop's`, async () => {
    await using all = await openWorked();
    await all.commit("other.txt", "theirs\n");
    const another = createWorkspaces({ root: join(all.folder, "data", "worktrees") });
    expect(await another.updateBranch(all.workspace, method)).toMatchObject({ kind: "updated" });
    await all.commit("newer.txt", "theirs, later\n");
    await all.dispatch({ type: "start", loopId: all.id });
    const view = await all.lab.until(all.id, ({ phase, iteration }) => phase.status === "completed" && iteration === 3);
    expect(view.commits.map(({ message }) => message.split(":")[0])).toEqual([
      "[Ralph] Iteration 1",
      "[Ralph] Iteration 2",
      "[Ralph] Iteration 3",
    ]);
    expect(view.workspace).toMatchObject({ baseSha: await all.in("rev-parse", "main~1") });
    expect((await all.lab.hub.diff(all.id)).map(({ path }) => path)).toEqual([
      "work-1.txt",
      "work-2.txt",
      "work-3.txt",
    ]);
    expect((await all.lab.typesOf(all.id)).filter((type) => type === "loop.branch.updated")).toHaveLength(1);
  });
}

test("[R-GIT-5] an update that was made and not recorded counts no commit twice when it is asked for again", async () => {
  await using all = await openWorked();
  await all.commit("other.txt", "theirs\n");
  const another = createWorkspaces({ root: join(all.folder, "data", "worktrees") });
  await another.updateBranch(all.workspace, "rebase");
  await all.commit("newer.txt", "theirs, later\n");
  const view = await all.dispatch({ type: "update-branch", loopId: all.id, method: "rebase" });
  expect(view).toMatchObject({ commitCount: 2, workspace: { baseSha: await all.in("rev-parse", "main") } });
});

test("[R-GIT-5] a paused loop is updated with what its agent left unfinished, and goes on", async () => {
  const begun = Promise.withResolvers<void>();
  let turns = 0;
  await using ground = await openGround();
  await using lab = openLab({
    ...ground,
    async *play(turn) {
      turns += 1;
      if (turns > 1) return yield* worker(turn);
      await writeFile(join(turn.request.directory, "half.txt"), "half done\n");
      begun.resolve();
      await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve(), { once: true }));
      return { outcome: "failed", failure: { reason: "aborted", message: "ended" }, usage: said("").usage };
    },
  });
  const { id } = await lab.create(ground.repository, { start: {} });
  await begun.promise;
  expect(await codeOf(lab.hub.dispatch({ type: "update-branch", loopId: id, method: "merge" }))).toBe(
    "illegal_transition",
  );
  await lab.hub.dispatch({ type: "pause", loopId: id, now: true });
  await lab.atRest(id);
  await writeFile(join(ground.repository, "other.txt"), "theirs\n");
  await git(ground.repository, "add", "-A");
  await git(ground.repository, "commit", "-q", "-m", "other");
  const view = await lab.hub.dispatch({ type: "update-branch", loopId: id, method: "rebase" });
  expect(view?.phase.status).toBe("paused");
  expect(view?.commits.map(({ message }) => message)).toEqual(["[Ralph] Uncommitted work"]);
  await lab.hub.dispatch({ type: "resume", loopId: id });
  const done = await lab.until(id, ({ phase }) => phase.status === "completed");
  const directory = done.workspace?.directory ?? "";
  for (const path of ["half.txt", "other.txt", "work-1.txt", "work-2.txt"]) {
    expect([path, existsSync(join(directory, path))]).toEqual([path, true]);
  }
  expect(done.commits).toHaveLength(3);
});

test("[R-GIT-5] after a conflict the loop is as it was: same state, same history, same commits", async () => {
  await using all = await openWorked();
  await all.commit("work-1.txt", "theirs\n");
  const before = await all.lab.hub.require(all.id);
  const seq = await all.lab.hub.latest();
  for (const command of [
    { type: "update-branch", method: "merge" },
    { type: "update-branch", method: "rebase" },
    { type: "accept", squash: true },
  ] as const) {
    expect(await codeOf(all.dispatch({ ...command, loopId: all.id }))).toBe("merge_conflict");
  }
  expect(await all.lab.hub.require(all.id)).toEqual(before);
  expect(await all.lab.hub.latest()).toBe(seq);
  expect(await all.in("rev-parse", all.workspace.workingBranch)).toBe(before.head ?? "");
  expect(await readFile(join(all.workspace.directory, "work-1.txt"), "utf8")).toBe("1\n");
});

test("[R-GIT-5] uncommitted work that meets a conflict becomes a commit, which the next iteration finds", async () => {
  await using all = await openWorked();
  await writeFile(join(all.workspace.directory, "left.txt"), "left\n");
  await all.commit("work-1.txt", "theirs\n");
  const update = { type: "update-branch", loopId: all.id, method: "merge" } as const;
  expect(await codeOf(all.dispatch(update))).toBe("merge_conflict");
  await all.dispatch({ type: "start", loopId: all.id });
  const view = await all.lab.until(all.id, ({ phase, iteration }) => phase.status === "completed" && iteration === 3);
  expect(view.commits.map(({ message }) => message.split(":")[0])).toEqual([
    "[Ralph] Iteration 1",
    "[Ralph] Iteration 2",
    "[Ralph] Uncommitted work",
    "[Ralph] Iteration 3",
  ]);
});

test("[R-GIT-6] a discard is undone once, and only a discard", async () => {
  await using all = await openWorked();
  const restore = { type: "restore", loopId: all.id } as const;
  expect(await codeOf(all.dispatch(restore))).toBe("illegal_transition");
  await all.dispatch({ type: "discard", loopId: all.id });
  const head = await all.in("for-each-ref", "--format=%(objectname)", "refs/ralpher/discarded");
  const view = await all.dispatch(restore);
  expect(view).toMatchObject({ phase: { status: "stopped" }, head });
  expect(await codeOf(all.dispatch(restore))).toBe("illegal_transition");
  await all.dispatch({ type: "discard", loopId: all.id });
  await all.dispatch({ type: "delete", loopId: all.id });
  expect(await all.in("for-each-ref", "refs/heads/ralph")).toBe("");
});

test("[R-API-2] an iteration's diff holds all of its commits and nothing of the others, also after a rebase", async () => {
  await using all = await openWorked(async function* ({ request, prompt }) {
    const n = /This is iteration (\d+)/.exec(prompt)?.[1] ?? "?";
    yield { type: "notice", text: "committing by itself" };
    for (const part of ["a", "b"]) {
      await writeFile(join(request.directory, `${n}${part}.txt`), "x\n");
      await git(request.directory, "add", "-A");
      await git(request.directory, "commit", "-q", "-m", `${n}${part}`);
    }
    await writeFile(join(request.directory, `${n}c.txt`), "x\n");
    return said(n === "2" ? "<promise>COMPLETE</promise>" : "more");
  });
  const files = async (iteration: number) =>
    (await all.lab.hub.diff(all.id, { iteration, patches: false })).map(({ path }) => path);
  expect(await files(1)).toEqual(["1a.txt", "1b.txt", "1c.txt"]);
  expect(await files(2)).toEqual(["2a.txt", "2b.txt", "2c.txt"]);
  expect(await files(3)).toEqual([]);
  await all.commit("other.txt", "theirs\n");
  await all.dispatch({ type: "update-branch", loopId: all.id, method: "rebase" });
  expect(await files(2)).toEqual(["2a.txt", "2b.txt", "2c.txt"]);
});

test("[R-API-5, R-GIT-7] what a loop's state does not allow is refused in words", async () => {
  const loop = new PaperLoop();
  const of = (command: { type: "restore" } | { type: "update-branch"; method: "merge" }) =>
    requireAllowed(loop.view, { ...command, loopId: loop.id });
  expect(() => of({ type: "update-branch", method: "merge" })).toThrow("cannot update its branch. It has no branch");
  expect(() => of({ type: "restore" })).toThrow("Only a discarded loop");
  loop.ask({ type: "start" });
  expect(() => of({ type: "update-branch", method: "merge" })).toThrow("Stop it first");

  await using ground = await openGround();
  await using lab = openLab(ground);
  const { id } = await lab.create(ground.repository);
  expect(await lab.hub.facts(id)).toBeNull();
  expect(await codeOf(lab.hub.push(id))).toBe("illegal_transition");
  expect(await codeOf(lab.hub.pullRequest(id))).toBe("illegal_transition");
  expect(await codeOf(lab.hub.push(crypto.randomUUID() as LoopId))).toBe("loop_not_found");
});

for (const command of [{ type: "accept" }, { type: "update-branch", method: "merge" }] as const) {
  test(`[R-GIT-5] in place, ${command.type} keeps the loop's work when the user went back to their own branch`, async () => {
    await using all = await openWorked(worker, { isolation: "checkout" });
    await all.in("checkout", "-q", "main");
    await all.commit("other.txt", "theirs\n");
    await writeFile(join(all.repository, "README.md"), "being edited\n");
    const head = await all.in("rev-parse", all.workspace.workingBranch);
    await all.dispatch({ ...command, loopId: all.id });
    const holder = command.type === "accept" ? "main" : all.workspace.workingBranch;
    expect(await all.in("merge-base", "--is-ancestor", head, holder)).toBe("");
    expect(await all.in("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(await all.in("status", "--porcelain")).toBe(" M README.md");
    expect(await all.in("ls-tree", "--name-only", holder, "work-1.txt", "other.txt")).toBe("other.txt\nwork-1.txt");
  });
}

test("[R-GIT-4] in place, a start after a restore asks about a changed checkout as the first start does", async () => {
  await using all = await openWorked(worker, { isolation: "checkout" });
  await all.dispatch({ type: "discard", loopId: all.id });
  await all.dispatch({ type: "restore", loopId: all.id });
  expect(await all.in("symbolic-ref", "--short", "HEAD")).toBe("main");
  await writeFile(join(all.repository, "README.md"), "being edited\n");
  const before = await all.lab.hub.latest();
  expect(await codeOf(all.dispatch({ type: "start", loopId: all.id }))).toBe("uncommitted_changes");
  expect(await all.lab.hub.latest()).toBe(before);
  await all.dispatch({ type: "start", loopId: all.id, handleUncommitted: "stash" });
  const view = await all.lab.until(all.id, ({ phase, iteration }) => phase.status === "completed" && iteration === 3);
  expect(view.commits.at(-1)).toMatchObject({ filesChanged: 1 });
  // On its own branch it goes on without being asked.
  await writeFile(join(all.repository, "left.txt"), "left\n");
  await all.dispatch({ type: "start", loopId: all.id });
  await all.lab.until(all.id, ({ phase, iteration }) => phase.status === "completed" && iteration === 4);
  await all.dispatch({ type: "accept", loopId: all.id });
  expect(await all.in("symbolic-ref", "--short", "HEAD")).toBe("main");
  expect(await readFile(join(all.repository, "README.md"), "utf8")).toBe("being edited\n");
  expect(await all.lab.typesOf(all.id)).toContain("loop.stash.restored");
});

test("[R-GIT-5] a loop whose target was renamed merges into the branch that a human chooses", async () => {
  await using all = await openWorked();
  const { id: loopId } = all;
  const retarget = (target: string) => all.dispatch({ type: "update", loopId, changes: { target } });
  await all.in("branch", "-m", "main", "trunk");
  expect(await codeOf(all.dispatch({ type: "accept", loopId }))).toBe("branch_missing");
  for (const wrong of ["main", "no such", "trunk~1", "../trunk", "refs/heads/trunk", all.workspace.workingBranch]) {
    expect([wrong, await codeOf(retarget(wrong))]).toEqual([wrong, "invalid_input"]);
  }
  expect((await retarget("trunk"))?.workspace).toMatchObject({ originalBranch: "trunk" });
  const seq = await all.lab.hub.latest();
  await retarget("trunk");
  expect(await all.lab.hub.latest()).toBe(seq);
  expect(await all.lab.hub.facts(loopId)).toMatchObject({ target: "trunk", behind: 0, ahead: 2 });
  await all.commit("other.txt", "theirs\n");
  await all.dispatch({ type: "update-branch", loopId, method: "merge" });
  await all.dispatch({ type: "accept", loopId });
  expect(await all.in("ls-tree", "--name-only", "trunk", "work-2.txt", "other.txt")).toBe("other.txt\nwork-2.txt");
  expect(await codeOf(retarget("trunk"))).toBe("illegal_transition");
});

test("[R-GIT-5, R-API-5] another target is for a loop with a branch that is not under way; other settings go along", async () => {
  const loop = new PaperLoop();
  expect(() => loop.ask({ type: "update", changes: { target: "trunk" } })).toThrow("It has no branch");
  loop.ask({ type: "start" });
  expect(() => loop.ask({ type: "update", changes: { target: "trunk" } })).toThrow("Stop it first");
  await using all = await openWorked();
  await all.in("branch", "other");
  const changes = { target: "other", maxIterations: 9 };
  const view = await all.dispatch({ type: "update", loopId: all.id, changes });
  expect(view).toMatchObject({ config: { maxIterations: 9 }, workspace: { originalBranch: "other" } });
  expect(view?.config).not.toHaveProperty("target");
  expect((await all.lab.typesOf(all.id)).slice(-2)).toEqual(["loop.updated", "loop.target.changed"]);
});

test("[R-API-2] the changes of a discarded loop: restoring it comes first", async () => {
  await using all = await openWorked();
  const { commits } = await all.lab.hub.require(all.id);
  await all.dispatch({ type: "discard", loopId: all.id });
  const refused = all.lab.hub.diff(all.id);
  expect(await codeOf(refused)).toBe("illegal_transition");
  await expect(refused).rejects.toThrow(/discarded.*ralpher loop restore/);
  // What its commits were is kept, and can be looked at.
  expect((await all.lab.hub.diff(all.id, { commit: commits[0]?.sha })).map(({ path }) => path)).toEqual(["work-1.txt"]);
});
