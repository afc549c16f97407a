import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LoopId, StoredEvent } from "@ralpher/contract";
import { openJournal } from "@ralpher/store";
import { appendingScript, sleepingScript } from "./src/scripts.ts";
import { eventually, git, openStage, type Stage } from "./src/stage.ts";

/** Three iterations of the in-process agent, each with a file and a few events: much happens in little time. */
const script = {
  conversations: [1, 2, 3].map((n) => ({
    when: `This is iteration ${n} `,
    steps: [
      { text: `Part ${n}.`, tools: [{ name: "write", input: { filePath: `part-${n}.txt`, content: `${n}\n` } }] },
      { text: n === 3 ? "All parts.\n<promise>COMPLETE</promise>" : "More to do." },
    ],
  })),
};

async function create(stage: Stage, url: string, more: Record<string, unknown>): Promise<LoopId> {
  const response = await fetch(`${url}/api/loops`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "crash", directory: stage.repository, prompt: "Work.", start: {}, ...more }),
  });
  expect(response.status).toBe(201);
  return (await response.json()).config.id;
}

/** The journal's events as they are on disk. */
async function eventsOf(stage: Stage, loopId: LoopId): Promise<StoredEvent[]> {
  await using journal = openJournal({ path: join(stage.dataDir, "ralpher.db") });
  return await journal.read({ loopId, limit: 10_000 });
}

/** Wait until the loop on disk has so many events, or has ended. */
async function hasEvents(stage: Stage, loopId: LoopId, count: number): Promise<void> {
  await using journal = openJournal({ path: join(stage.dataDir, "ralpher.db") });
  const enough = async () => {
    const events = await journal.read({ loopId, limit: 10_000 });
    return events.length >= count || events.some(({ type }) => type === "loop.completed");
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = journal.subscribe(() => void enough().then((is) => is && resolve()));
  if (await enough()) resolve();
  await promise.finally(unsubscribe);
}

const completed = (events: StoredEvent[]) => events.some(({ type }) => type === "loop.completed");

function expectWhole(events: StoredEvent[]): void {
  const of = (type: string) => events.flatMap((e) => (e.type === type && "iteration" in e ? [e.iteration] : []));
  expect(of("loop.iteration.start")).toEqual([1, 2, 3]);
  expect(of("loop.iteration.end")).toEqual([1, 2, 3]);
  expect(of("loop.git.commit")).toEqual([1, 2, 3]);
  expect(events.filter(({ type }) => type === "loop.completed")).toHaveLength(1);
  expect(events.map(({ seq }) => seq)).toEqual([...new Set(events.map(({ seq }) => seq))].toSorted((a, b) => a - b));
}

describe("kill -9", () => {
  test("[R-DATA-2] at any event, and the loop goes on by itself at the next start, no event lost or doubled", async () => {
    await using stage = await openStage();
    const path = join(stage.folder, "script.json");
    await writeFile(path, JSON.stringify(script));
    let { url, server } = await stage.serve();
    for (let at = 1; at <= 40; at += 3) {
      const id = await create(stage, url, { backend: { type: "scripted", script: path } });
      await hasEvents(stage, id, at);
      server.signal("SIGKILL");
      await server.ended;
      const before = await eventsOf(stage, id);
      ({ url, server } = await stage.serve());
      await eventually(async () => completed(await eventsOf(stage, id)));
      const after = await eventsOf(stage, id);
      expect(after.slice(0, before.length)).toEqual(before);
      expectWhole(after);
      const branch = after.flatMap((e) =>
        e.type === "loop.workspace.ready" && "workingBranch" in e.workspace ? [e.workspace.workingBranch] : [],
      );
      expect(branch).toHaveLength(1);
      const log = await git(stage.repository, "log", "--reverse", "--format=%s", `main..${branch[0]}`);
      expect(log.split("\n").map((line) => line.slice(0, 20))).toEqual(
        [1, 2, 3].map((n) => `[Ralph] Iteration ${n}:`.slice(0, 20)),
      );
    }
  });

  test("[R-DATA-2, R-BACK-6] in the middle of a real agent's turn: its process tree is gone, the turn is tried again", async () => {
    await using stage = await openStage(sleepingScript);
    const { url, server } = await stage.serve();
    const id = await create(stage, url, { model: { providerID: "scripted", modelID: "model" } });
    const worktree = join(stage.dataDir, "worktrees", id);
    await eventually(() => Bun.file(join(worktree, "begun.txt")).exists());
    expect((await stage.leftovers()).length).toBeGreaterThan(3);
    server.signal("SIGKILL");
    await server.ended;
    await eventually(async () => (await stage.leftovers()).length === 0);

    const again = await stage.serve();
    await eventually(async () =>
      (await eventsOf(stage, id)).some((event) => event.type === "loop.turn.start" && event.attempt === 2),
    );
    again.server.signal("SIGTERM");
    expect((await again.server.ended).code).toBe(0);
    await eventually(async () => (await stage.leftovers()).length === 0);
    const types = (await eventsOf(stage, id)).map(({ type }) => type);
    expect(types.filter((type) => type === "loop.interrupted")).toHaveLength(2);
  });

  test("[R-DATA-2] of a command that ran a loop: the loop is resumed by another command", async () => {
    await using stage = await openStage(appendingScript(3));
    const run = stage.start([
      "loop",
      "run",
      "--dir",
      stage.repository,
      "--prompt",
      "Go.",
      "--model",
      "scripted/model",
      "--name",
      "mine",
    ]);
    await run.says("Iteration 2");
    run.signal("SIGKILL");
    await run.ended;
    const resumed = await stage.run(["loop", "resume", "mine", "--json"]);
    expect(resumed.code).toBe(0);
    const [row] = JSON.parse((await stage.run(["loop", "list", "--json"])).out);
    expectWhole(await eventsOf(stage, row.config.id));
    expect(await git(stage.repository, "log", "--format=%s", "--all", "--grep=Iteration 2")).toContain("Iteration 2");
  });
});

describe("two processes on one data folder", () => {
  test("[R-DATA-2] a command whose server dies takes its loop over and sees it through", async () => {
    await using stage = await openStage(appendingScript(3));
    const { server } = await stage.serve();
    const run = stage.start(["loop", "run", "--dir", stage.repository, "--prompt", "Go.", "--model", "scripted/model"]);
    await run.says("Iteration 2");
    server.signal("SIGKILL");
    const { code, out } = await run.ended;
    expect(out).toContain("The server is gone");
    expect(out).toContain("✓ completed");
    expect(code).toBe(0);
  });

  test("a command whose reader has read enough ends quietly", async () => {
    await using stage = await openStage();
    const path = join(stage.folder, "script.json");
    await writeFile(path, JSON.stringify(script));
    const args = [
      "--dir",
      stage.repository,
      "--prompt",
      "Go.",
      "--agent",
      "scripted",
      "--script",
      path,
      "--name",
      "long",
    ];
    expect((await stage.run(["loop", "run", ...args])).code).toBe(0);
    const bin = join(import.meta.dir, "../packages/cli/src/ralpher.ts");
    const piped = Bun.spawn(["sh", "-c", '"$0" "$1" loop logs long --json | head -1', process.execPath, bin], {
      env: stage.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(piped.stderr).text()).toBe("");
    expect((await new Response(piped.stdout).text()).trim().split("\n")).toHaveLength(1);
  });

  test("[R-DATA-2] a command hands its loop to the server and shows what happens; Ctrl+C leaves it running", async () => {
    await using stage = await openStage(sleepingScript);
    await stage.serve();
    const run = stage.start([
      "loop",
      "run",
      "--dir",
      stage.repository,
      "--prompt",
      "Wait.",
      "--model",
      "scripted/model",
      "--name",
      "shared",
    ]);
    await run.says("I wait.");
    expect(run.out()).toContain("The server at http");
    run.signal("SIGINT");
    expect((await run.ended).code).toBe(130);
    const { state } = JSON.parse((await stage.run(["loop", "show", "shared", "--json"])).out);
    expect(state.status).toBe("running");
    expect((await stage.run(["loop", "stop", "shared"])).out).toContain("■ stopped");
  });
});
