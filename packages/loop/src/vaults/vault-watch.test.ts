import { expect, test } from "bun:test";
import { rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { LoopStatus } from "@ralpher/contract";
import { openTaskStage, type TaskStage } from "../../test/task-lab.ts";
import type { VaultNote } from "./vault-watch.ts";

const backend = { type: "scripted" } as const;

/** Resolves when this many tasks of the vault ended so. */
async function untilEnded(stage: TaskStage, count: number, status: LoopStatus): Promise<void> {
  const isSo = async () => (await stage.hub.list()).filter(({ state }) => state.status === status).length >= count;
  while (!(await isSo())) await Bun.sleep(10);
}

async function watch(stage: TaskStage, options: { parallel?: number } = {}) {
  const notes: VaultNote[] = [];
  const watching = await stage.hub.watchVault(stage.root, { backend, ...options, onNote: (note) => notes.push(note) });
  return {
    notes,
    until: async (type: VaultNote["type"]) => {
      while (!notes.some((note) => note.type === type)) await Bun.sleep(10);
    },
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  };
}

test("task files in the specs folder are taken up, so many at once, and none twice", async () => {
  let atOnce = 0;
  let most = 0;
  const met = Promise.withResolvers<void>();
  await using stage = await openTaskStage(
    async ({ step }) => {
      most = Math.max(most, ++atOnce);
      if (atOnce === 2) met.resolve();
      // Two of these are there at the same time, however slow the machine is.
      if (step.startsWith("do ")) await met.promise;
      atOnce--;
      return {};
    },
    { runs: "adopted", task: "- [ ] first\n" },
  );
  await using watched = await watch(stage);
  expect(stage.hub.watchVault(stage.root, { onNote: () => {} })).rejects.toMatchObject({ code: "vault_watched" });
  for (const name of ["a", "b", "c", "d"]) await stage.write(`Specs/${name}.md`, `- [ ] do ${name}\n- [ ] and more\n`);
  await untilEnded(stage, 5, "completed");
  expect(most).toBe(2);
  expect(stage.seen.map(({ step }) => step).toSorted()).toEqual(
    ["first", "do a", "do b", "do c", "do d", "and more", "and more", "and more", "and more"].toSorted(),
  );
  expect(watched.notes.filter(({ type }) => type === "taken")).toHaveLength(5);
  // The same file again is another task.
  await rename(join(stage.root, "Done/a.md"), join(stage.root, "Done/old.md"));
  await stage.write("Specs/a.md", "- [ ] once more\n");
  await untilEnded(stage, 6, "completed");
  expect((await stage.hub.vault(stage.root)).isWatched).toBe(true);
}, 30_000);

test("nothing is taken up while there is a stop hook, and what it stopped goes on when it is deleted", async () => {
  await using stage = await openTaskStage(
    async ({ iteration }) => {
      if (iteration === 1) await stage.write("Control/STOP_AUTONOMOUS_LOOP", "---\nreason: dinner\n---\n");
      return {};
    },
    { runs: "adopted" },
  );
  await using watched = await watch(stage);
  await untilEnded(stage, 1, "stopped");
  await stage.write("Specs/late.md", "- [ ] late\n");
  await watched.until("hooked");
  expect(await stage.hub.list()).toHaveLength(1);
  const { path } = await stage.hub.tellVault(stage.root, { type: "lift" });
  expect(path).toBe("/Control/STOP_AUTONOMOUS_LOOP");
  await untilEnded(stage, 1, "completed");
}, 30_000);

test("a file that is no task is refused once for each state of it, and the next ones are taken up", async () => {
  await using stage = await openTaskStage(undefined, { runs: "adopted" });
  await stage.write("Specs/bad.md", "\0binary");
  await using watched = await watch(stage);
  await untilEnded(stage, 1, "completed");
  await watched.until("refused");
  await stage.write("Specs/good.md", "- [ ] good\n");
  await untilEnded(stage, 2, "completed");
  expect(watched.notes.filter(({ type }) => type === "refused")).toHaveLength(1);
  await stage.write("Specs/bad.md", "- [ ] mended\n");
  await untilEnded(stage, 3, "completed");
}, 30_000);

test("what another watch left under way goes on in the next one", async () => {
  const begun = Promise.withResolvers<void>();
  let isSecond = false;
  await using stage = await openTaskStage(
    async ({ signal }) => {
      if (isSecond) return {};
      begun.resolve();
      const ended = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => ended.resolve(), { once: true });
      await ended.promise;
      return {};
    },
    { runs: "adopted" },
  );
  const first = await watch(stage);
  await begun.promise;
  await first[Symbol.asyncDispose]();
  const [row] = await stage.hub.list();
  if (row === undefined) throw new Error("nothing was taken up");
  isSecond = true;
  await stage.hub.dispatch({ type: "pause", loopId: row.config.id, now: true });
  await stage.until(row.config.id, ({ phase }) => phase.status === "paused");
  await stage.hub.dispatch({ type: "resume", loopId: row.config.id });
  await using second = await watch(stage);
  await untilEnded(stage, 1, "completed");
  await second.until("goes_on");
}, 30_000);

test("a file from a clock that is ahead is taken up, and a refusal for another reason is tried again", async () => {
  await using stage = await openTaskStage(undefined, { runs: "adopted" });
  const ahead = new Date(Date.now() + 3_600_000);
  await utimes(join(stage.root, "Specs/auth/tasks.md"), ahead, ahead);
  await stage.write(".state/autonomous_loop_state.json", '{"name": "theirs"}');
  await using watched = await watch(stage);
  await watched.until("refused");
  await rm(join(stage.root, ".state/autonomous_loop_state.json"));
  await untilEnded(stage, 1, "completed");
  expect(watched.notes.map(({ type }) => type)).toEqual(["refused", "taken"]);
}, 30_000);

test("answers wait for room where the vault is watched", async () => {
  let works = false;
  let atOnce = 0;
  let most = 0;
  await using stage = await openTaskStage(
    async () => {
      if (!works) return { result: "failure" };
      most = Math.max(most, ++atOnce);
      await Bun.sleep(30);
      atOnce--;
      return {};
    },
    { runs: "adopted", config: "  failure_threshold: 1\n  max_parallel_tasks: 1", task: "- [ ] first\n" },
  );
  await stage.write("Specs/second.md", "- [ ] second\n");
  await stage.write("Specs/third.md", "- [ ] third\n");
  await using _watched = await watch(stage);
  await untilEnded(stage, 3, "failed");
  works = true;
  for (const name of await stage.names("Needs_Action")) {
    const text = await stage.read(`Needs_Action/${name}`);
    await stage.write(`Needs_Action/${name}`, text.replace(/- \[ \](.*<!-- ralpher:retry -->)/, "- [x]$1"));
  }
  await untilEnded(stage, 3, "completed");
  expect(most).toBe(1);
}, 30_000);
