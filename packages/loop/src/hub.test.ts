import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentEvent, isFault, isUnderWay, LoopId, type TurnResult } from "@ralpher/contract";
import { git, HandClock, openGround, openLab, type Play, said } from "../test/lab.ts";

/** Writes a file of its own in every turn; makes the promise in the turn told. */
const worker = (promiseIn: number): Play => {
  let turn = 0;
  return async function* ({ request }) {
    turn += 1;
    await writeFile(join(request.directory, `work-${turn}.txt`), `${turn}\n`);
    const text = turn === promiseIn ? "All done.\n<promise>COMPLETE</promise>\n" : `Finished part ${turn}.`;
    yield { type: "message.delta", messageId: "m", kind: "text", delta: text };
    yield { type: "message.complete", messageId: "m", kind: "text", text };
    return said(text);
  };
};

/** Begins a turn, says so, and goes on until it is ended. */
function hanging() {
  const begun = Promise.withResolvers<void>();
  const play: Play = async function* ({ request, signal }) {
    await writeFile(join(request.directory, "half.txt"), "half done\n");
    yield { type: "tool.start", callId: "t", name: "bash", input: { command: "sleep" } } satisfies AgentEvent;
    begun.resolve();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    return { outcome: "failed", failure: { reason: "aborted", message: "ended" }, usage: said("").usage };
  };
  return { play, begun: begun.promise };
}

const failing = (failure: Extract<TurnResult, { outcome: "failed" }>["failure"]): Play =>
  async function* () {
    return { outcome: "failed", failure, usage: said("").usage };
  };

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no fault",
    (error) => (isFault(error) ? error.code : error),
  );

describe("a loop from start to promise", () => {
  test("[R-RUN-3, R-GIT-1, R-GIT-2] works on its own branch, commits each iteration, and ends completed", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(3) });
    const head = await git(ground.repository, "rev-parse", "HEAD");
    const { id } = await lab.create(ground.repository, { start: {} });
    const view = await lab.atRest(id);
    expect(view.phase).toEqual({ status: "completed", reason: "the promise was made" });
    expect(view.iteration).toBe(3);

    const branch = view.workspace?.kind === "worktree" ? view.workspace.workingBranch : "";
    expect(branch).toMatch(/^ralph\/lab-[0-9a-f]{8}$/);
    const log = await git(ground.repository, "log", "--reverse", "--format=%s", `main..${branch}`);
    expect(log.split("\n")).toEqual([
      "[Ralph] Iteration 1: Finished part 1.",
      "[Ralph] Iteration 2: Finished part 2.",
      "[Ralph] Iteration 3: All done.",
    ]);
    expect(await git(ground.repository, "merge-base", branch, "main")).toBe(head);
    expect(await git(ground.repository, "status", "--porcelain")).toBe("");
    expect(existsSync(join(ground.repository, "work-1.txt"))).toBe(false);
  });

  test("[R-RUN-2, R-BACK-5] opens a fresh session every iteration and records which", async () => {
    await using ground = await openGround();
    const seen: string[][] = [];
    await using lab = openLab({
      ...ground,
      async *play({ prompts, sessionId }) {
        seen.push([sessionId, ...prompts]);
        return said("more");
      },
    });
    const { id } = await lab.create(ground.repository, { maxIterations: 3, start: {} });
    const view = await lab.atRest(id);
    expect(new Set(seen.map(([session]) => session)).size).toBe(3);
    expect(seen.every((turn) => turn.length === 2)).toBe(true);
    const recorded = (await lab.hub.read({ loopId: id, types: ["loop.session"] })).map((e) =>
      e.type === "loop.session" ? e.session.id : "",
    );
    expect(recorded).toEqual(seen.map(([session = ""]) => session));
    expect(view.session?.id).toBe(recorded.at(-1) ?? "");
  });

  test("[R-RUN-8] tells the agent where progress lives, and gives the goal unchanged", async () => {
    await using ground = await openGround();
    const prompts: string[] = [];
    await using lab = openLab({
      ...ground,
      async *play({ prompt }) {
        prompts.push(prompt);
        return said("<promise>COMPLETE</promise>");
      },
    });
    const goal = "Mend the *parser*.\n\nThen stop.";
    await lab.atRest((await lab.create(ground.repository, { prompt: goal, start: {} })).id);
    expect(prompts[0]).toStartWith(goal);
    expect(prompts[0]).toContain(".planning/plan.md");
    expect(prompts[0]).toContain(".planning/status.md");
    expect(prompts[0]).toContain("<promise>COMPLETE</promise>");
  });

  test("[R-GIT-2] makes no commit when nothing changed", async () => {
    await using ground = await openGround();
    await using lab = openLab({
      ...ground,
      play: async function* () {
        return said("thinking");
      },
    });
    const { id } = await lab.create(ground.repository, { maxIterations: 2, start: {} });
    const view = await lab.atRest(id);
    expect(view.commitCount).toBe(0);
    expect(view.recent.map((done) => done.commits)).toEqual([0, 0]);
  });

  test("[R-GIT-3] prefixes are configurable and git can be switched off", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(9) });
    const named = await lab.create(ground.repository, {
      maxIterations: 1,
      git: { branchPrefix: "bot/", commitPrefix: "auto:" },
      start: {},
    });
    const view = await lab.atRest(named.id);
    expect(view.workspace).toMatchObject({ workingBranch: expect.stringMatching(/^bot\/lab-/) });
    expect(view.commits[0]?.message).toStartWith("auto: Iteration 1");
    const plainFolder = join(ground.folder, "plain");
    await mkdir(plainFolder);
    const plain = await lab.create(plainFolder, { maxIterations: 1, git: { enabled: false }, start: {} });
    expect((await lab.atRest(plain.id)).workspace).toEqual({ kind: "plain", directory: plainFolder });
    expect(await readFile(join(plainFolder, "work-2.txt"), "utf8")).toBe("2\n");
  });

  test("[R-RUN-6] ten loops at once in one repository, each with its own work", async () => {
    await using ground = await openGround();
    await using lab = openLab({
      ...ground,
      async *play({ request }) {
        await writeFile(join(request.directory, "who.txt"), `${request.title}\n`);
        return said("more");
      },
    });
    const loops = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        lab.create(ground.repository, { name: `loop ${n}`, maxIterations: 3, start: {} }),
      ),
    );
    for (const [n, { id }] of loops.entries()) {
      const view = await lab.atRest(id);
      expect(view.phase.status).toBe("max_iterations");
      expect(view.commitCount).toBe(3);
      expect(await lab.hub.readFile(id, "who.txt")).toBe(`loop ${n}, iteration 3\n`);
    }
    expect(lab.troubles).toEqual([]);
  });
});

describe("steering", () => {
  test("[R-RUN-1] stop ends the agent, keeps its work in git, and rests as stopped", async () => {
    await using ground = await openGround();
    const { play, begun } = hanging();
    await using lab = openLab({ ...ground, play });
    const { id } = await lab.create(ground.repository, { start: {} });
    await begun;
    expect((await lab.hub.require(id)).phase.status).toBe("running");
    await lab.hub.dispatch({ type: "stop", loopId: id, reason: "enough" });
    const view = await lab.atRest(id);
    expect(view.phase).toEqual({ status: "stopped", reason: "enough" });
    expect(view.commits.map((commit) => commit.message)).toEqual(["[Ralph] Iteration 1 (stopped)"]);
    expect(await lab.hub.readFile(id, "half.txt")).toBe("half done\n");
  });

  test("[R-RUN-1] pause now lets go of the agent; resume tries the iteration again", async () => {
    await using ground = await openGround();
    const { play, begun } = hanging();
    let turns = 0;
    await using lab = openLab({
      ...ground,
      play: (turn) => {
        turns += 1;
        return turns === 1 ? play(turn) : worker(1)(turn);
      },
    });
    const { id } = await lab.create(ground.repository, { start: {} });
    await begun;
    await lab.hub.dispatch({ type: "pause", loopId: id, now: true });
    expect((await lab.atRest(id)).phase.status).toBe("paused");
    await lab.hub.dispatch({ type: "resume", loopId: id });
    const view = await lab.until(id, ({ phase }) => phase.status === "completed");
    expect(view.iteration).toBe(1);
    expect(view.commits).toHaveLength(1);
    expect(view.commits[0]?.filesChanged).toBe(2);
  });

  test("a pause or a stop given by another process reaches the one that runs the loop", async () => {
    await using ground = await openGround();
    const { play, begun } = hanging();
    await using lab = openLab({ ...ground, play });
    await using other = openLab({ ...ground, runs: "adopted" });
    const { id } = await lab.create(ground.repository, { start: {} });
    await begun;
    await other.hub.dispatch({ type: "stop", loopId: id });
    expect((await other.atRest(id)).phase.status).toBe("stopped");
  });

  test("[R-DATA-2] two hubs on one data folder never run one loop twice", async () => {
    await using ground = await openGround();
    const turns: string[] = [];
    const play: Play = async function* ({ request }) {
      turns.push(request.title);
      await Bun.sleep(2);
      yield { type: "notice", text: "here" };
      return said("more");
    };
    await using one = openLab({ ...ground, play });
    await using two = openLab({ ...ground, play });
    const made = await Promise.all(
      [one, two, one, two].map((lab, n) =>
        lab.create(ground.repository, { name: `n${n}`, maxIterations: 5, start: {} }),
      ),
    );
    for (const { id } of made) await one.atRest(id);
    expect(turns.toSorted()).toEqual([0, 1, 2, 3].flatMap((n) => [1, 2, 3, 4, 5].map((i) => `n${n}, iteration ${i}`)));
  });

  test("closing the process leaves the loop ready; the next process goes on with the same iteration", async () => {
    await using ground = await openGround();
    const { play, begun } = hanging();
    let id: LoopId;
    {
      await using lab = openLab({ ...ground, play });
      id = (await lab.create(ground.repository, { start: {} })).id;
      await begun;
    }
    await using lab = openLab({ ...ground, play: worker(1) });
    const view = await lab.until(id, (now) => !isUnderWay(now));
    expect(view.phase.status).toBe("completed");
    expect(view.iteration).toBe(1);
    expect((await lab.typesOf(id)).filter((type) => type === "loop.interrupted")).toHaveLength(1);
  });
});

describe("failures", () => {
  test("[R-RUN-5] are recorded with message, iteration and time, and end the loop at the threshold", async () => {
    await using ground = await openGround();
    const clock = new HandClock();
    await using lab = openLab({
      ...ground,
      clock,
      play: failing({ reason: "server", message: "500 from the provider" }),
    });
    const { id } = await lab.create(ground.repository, { failureThreshold: 2, start: {} });
    const waiting = await lab.until(id, ({ phase }) => phase.status === "waiting" && phase.until !== null);
    expect(waiting.error).toEqual({
      message: "500 from the provider",
      iteration: 1,
      timestamp: clock.now().toISOString(),
    });
    clock.advance(1000);
    const view = await lab.atRest(id);
    expect(view.phase.status).toBe("failed");
    expect(view.iteration).toBe(2);
    expect(view.recent.map((done) => done.outcome)).toEqual(["error", "error"]);
  });

  test("a bug of ours in every turn ends the loop as failed, after a few tries and not with endless ones", async () => {
    await using ground = await openGround();
    const clock = new HandClock();
    let turns = 0;
    await using lab = openLab({
      ...ground,
      clock,
      async *play() {
        turns += 1;
        const tool = { id: "t", name: "x", input: { unwritable: 1n }, output: "", outputBytes: 0, durationMs: 0 };
        yield { type: "tool.complete", tool: { ...tool, status: "completed" } };
        return said("more");
      },
    });
    const { id } = await lab.create(ground.repository, { failureThreshold: 1, start: {} });
    const resting = lab.atRest(id);
    let isAtRest = false;
    void resting.then(() => {
      isAtRest = true;
    });
    while (!isAtRest) {
      clock.advance(60_000);
      await Bun.sleep(1);
    }
    expect((await resting).phase).toMatchObject({ status: "failed" });
    expect(turns).toBe(3);
    expect(lab.troubles.length).toBeGreaterThan(0);
  });

  test("[R-GIT-4] stashed changes come back when the loop cannot go on", async () => {
    await using ground = await openGround();
    await using lab = openLab({
      ...ground,
      async *play({ request }) {
        await rm(request.directory, { recursive: true });
        yield { type: "notice", text: "gone" };
        return said("more");
      },
    });
    await writeFile(join(ground.repository, "mine.txt"), "mine\n");
    const { id } = await lab.create(ground.repository, { start: { handleUncommitted: "stash" } });
    expect((await lab.atRest(id)).phase.status).toBe("failed");
    expect(await readFile(join(ground.repository, "mine.txt"), "utf8")).toBe("mine\n");
  });

  test("a stop ends a wait at once", async () => {
    await using ground = await openGround();
    const play = failing({ reason: "rate_limited", message: "come back later", retryAfterMs: 3_600_000 });
    await using lab = openLab({ ...ground, clock: new HandClock(), play });
    const { id } = await lab.create(ground.repository, { start: {} });
    await lab.until(id, ({ phase }) => phase.status === "waiting" && phase.until !== null);
    await lab.hub.dispatch({ type: "stop", loopId: id });
    expect((await lab.atRest(id)).phase.status).toBe("stopped");
  });

  test("[R-RUN-5] a worktree that cannot be made ends the loop with the reason", async () => {
    await using ground = await openGround();
    await mkdir(join(ground.folder, "data"), { recursive: true });
    await writeFile(join(ground.folder, "data", "worktrees"), "in the way");
    await using lab = openLab({ ...ground, play: worker(1) });
    const { id } = await lab.create(ground.repository, { start: {} });
    const view = await lab.atRest(id);
    expect(view.phase).toMatchObject({ status: "failed", reason: expect.stringContaining("worktrees") });
    expect(lab.troubles).toEqual([]);
  });
});

describe("what cannot be worked on", () => {
  test("[R-GIT-4] a dirty checkout is refused with its files, and each way on works", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(99) });
    await writeFile(join(ground.repository, "README.md"), "changed\n");
    await writeFile(join(ground.repository, "new.txt"), "new\n");
    const refused = await lab.create(ground.repository, { start: {} }).catch((error) => error);
    expect(refused.toJSON()).toMatchObject({ error: "uncommitted_changes", changedFiles: ["README.md", "new.txt"] });
    expect(await lab.hub.list()).toEqual([]);

    const run = async (handleUncommitted: string) =>
      await lab.atRest((await lab.create(ground.repository, { maxIterations: 1, start: { handleUncommitted } })).id);
    const ignored = await run("ignore");
    expect(await lab.hub.readFile(ignored.id, "new.txt")).toBeNull();
    expect(await readFile(join(ground.repository, "new.txt"), "utf8")).toBe("new\n");
    const stashed = await run("stash");
    expect(await lab.hub.readFile(stashed.id, "new.txt")).toBeNull();
    expect(await readFile(join(ground.repository, "README.md"), "utf8")).toBe("changed\n");
    expect(await lab.typesOf(stashed.id)).toContain("loop.stash.restored");
    const committed = await run("commit");
    expect(await lab.hub.readFile(committed.id, "new.txt")).toBe("new\n");
    expect(await git(ground.repository, "log", "-1", "--format=%s")).toBe("[Pre-Ralph] Uncommitted changes");
  });

  test("[R-GIT-7] each kind of folder has its own answer, and nothing is made", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(1) });
    const make = async (name: string, ...commands: string[][]) => {
      const path = join(ground.folder, name);
      await mkdir(path);
      for (const command of commands) await git(path, ...command);
      return path;
    };
    const start = (directory: string) => codeOf(lab.create(directory, { start: {} }));
    expect(await start(join(ground.folder, "nowhere"))).toBe("directory_missing");
    expect(await start(await make("plain"))).toBe("not_a_repository");
    expect(await start(await make("bare", ["init", "-q", "--bare"]))).toBe("bare_repository");
    expect(await start(await make("empty", ["init", "-q"]))).toBe("no_commits");
    await git(ground.repository, "checkout", "-q", "--detach");
    expect(await start(ground.repository)).toBe("detached_head");
    expect(await start("relative/path")).toBe("invalid_input");
    expect(await lab.hub.list()).toEqual([]);
  });

  test("[R-RUN-3] a stop pattern that is none, and an empty prompt, are refused before anything is made", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(1) });
    expect(await codeOf(lab.create(ground.repository, { stopPattern: "(" }))).toBe("invalid_input");
    expect(() => lab.create(ground.repository, { prompt: " \n" })).toThrow("the prompt is empty");
    expect(await lab.hub.list()).toEqual([]);
  });
});

describe("deciding about the work", () => {
  test("[R-GIT-5] accept merges into the original branch and tells the merge commit", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(2) });
    const { id } = await lab.create(ground.repository, { start: {} });
    await lab.atRest(id);
    const view = await lab.hub.dispatch({ type: "accept", loopId: id });
    const head = await git(ground.repository, "rev-parse", "main");
    expect(view?.phase).toEqual({ status: "accepted", mergeCommit: head });
    expect(await readFile(join(ground.repository, "work-2.txt"), "utf8")).toBe("2\n");
    expect((await git(ground.repository, "log", "-1", "--format=%P")).split(" ")).toHaveLength(2);
  });

  test("[R-GIT-5] a conflict names the files and changes nothing", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(1) });
    const { id } = await lab.create(ground.repository, { start: {} });
    await lab.atRest(id);
    await writeFile(join(ground.repository, "work-1.txt"), "mine\n");
    await git(ground.repository, "add", "-A");
    await git(ground.repository, "commit", "-q", "-m", "mine");
    const before = await git(ground.repository, "rev-parse", "main");
    const refused = await lab.hub.dispatch({ type: "accept", loopId: id }).catch((error) => error);
    expect(refused.toJSON()).toMatchObject({ error: "merge_conflict", files: ["work-1.txt"] });
    expect(await git(ground.repository, "rev-parse", "main")).toBe(before);
    expect(await git(ground.repository, "status", "--porcelain")).toBe("");
    expect((await lab.hub.require(id)).phase.status).toBe("completed");
  });

  test("[R-GIT-5] a start during an accept waits for it, and is refused then", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(1) });
    const { id } = await lab.create(ground.repository, { start: {} });
    await lab.atRest(id);
    const [accepted, started] = await Promise.all([
      lab.hub.dispatch({ type: "accept", loopId: id }),
      codeOf(lab.hub.dispatch({ type: "start", loopId: id })),
    ]);
    expect(accepted?.phase.status).toBe("accepted");
    expect(started).toBe("illegal_transition");
    expect((await lab.hub.require(id)).phase.status).toBe("accepted");
  });

  test("[R-GIT-5, R-GIT-6] a data folder that was moved: the work can still be taken over, or thrown away", async () => {
    await using ground = await openGround();
    const ids: LoopId[] = [];
    {
      await using lab = openLab({ ...ground, play: worker(99) });
      for (let n = 0; n < 2; n++) {
        const { id } = await lab.create(ground.repository, { maxIterations: 1, start: {} });
        await lab.atRest(id);
        ids.push(id);
      }
    }
    const folder = join(ground.folder, "elsewhere");
    await mkdir(folder);
    await rename(join(ground.folder, "data"), join(folder, "data"));
    await using lab = openLab({ folder });
    const [first, second] = ids as [LoopId, LoopId];
    expect((await lab.hub.dispatch({ type: "accept", loopId: first }))?.phase.status).toBe("accepted");
    expect(await readFile(join(ground.repository, "work-1.txt"), "utf8")).toBe("1\n");
    expect(await lab.hub.diff(second)).toHaveLength(1);
    expect((await lab.hub.dispatch({ type: "discard", loopId: second }))?.phase.status).toBe("discarded");
    for (const id of ids) expect(await lab.hub.dispatch({ type: "delete", loopId: id })).toBeNull();
  });

  test("[R-GIT-6, R-CRUD-5] discard removes branch and worktree, delete the loop itself", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(1) });
    const { id } = await lab.create(ground.repository, { start: {} });
    const { workspace } = await lab.atRest(id);
    await lab.hub.dispatch({ type: "discard", loopId: id });
    expect(await git(ground.repository, "branch", "--format=%(refname:short)")).toBe("main");
    expect(existsSync(workspace?.directory ?? "")).toBe(false);
    expect(await lab.hub.dispatch({ type: "delete", loopId: id })).toBeNull();
    expect(await codeOf(lab.hub.require(id))).toBe("loop_not_found");
  });

  test("[R-API-5] ids are found by their beginning or by name; a loop that is not there is not found", async () => {
    await using ground = await openGround();
    await using lab = openLab({ ...ground, play: worker(1) });
    const { id } = await lab.create(ground.repository, { name: "mend it" });
    expect(await lab.hub.resolve(id.slice(0, 6))).toBe(id);
    expect(await lab.hub.resolve("mend it")).toBe(id);
    expect(await codeOf(lab.hub.resolve("zzz"))).toBe("loop_not_found");
    expect(await codeOf(lab.hub.require(LoopId.parse(crypto.randomUUID())))).toBe("loop_not_found");
  });
});
