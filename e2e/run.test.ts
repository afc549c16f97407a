import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appendingScript, endlessScript, sleepingScript, statusScript } from "./src/scripts.ts";
import { eventsOf, eventually, git, lastJson, openStage } from "./src/stage.ts";

const scripted = ["--model", "scripted/model"];

describe("ralpher loop run, with the real opencode", () => {
  test("[R-RUN-2, R-RUN-3, R-GIT-2, R-BACK-1, R-BACK-4] runs a goal from a file to its promise, with fresh sessions and a commit each", async () => {
    await using stage = await openStage(appendingScript(3));
    const goal = join(stage.folder, "goal.md");
    await writeFile(goal, "Add three lines to notes.txt.\n");
    const run = await stage.run([
      "loop",
      "run",
      "--dir",
      stage.repository,
      "--prompt-file",
      goal,
      ...scripted,
      "--json",
    ]);
    expect(run.err).toBe("");
    expect(run.code).toBe(0);
    const { config, state } = lastJson(run.out);
    expect(state).toMatchObject({ status: "completed", currentIteration: 3, git: { commitCount: 3 } });
    expect(state.usage.inputTokens).toBeGreaterThan(0);
    const sessions = eventsOf(run.out).flatMap((event) => (event.type === "loop.session" ? [event.session.id] : []));
    expect(new Set(sessions).size).toBe(3);
    const branch = state.git?.workingBranch ?? "";
    expect(await git(stage.repository, "show", `${branch}:notes.txt`)).toBe("one\nline 1\nline 2\nline 3");
    expect(await git(stage.repository, "status", "--porcelain")).toBe("");
    expect(
      stage.model?.requests.filter(({ sideCall }) => sideCall === null).every(({ model }) => model === "model"),
    ).toBe(true);

    const id = config.id.slice(0, 8);
    expect((await stage.run(["loop", "list"])).out).toContain(`${id}  ✓ completed  3  Add three lines`);
    expect((await stage.run(["loop", "show", id])).out).toContain(`${branch} → main`);
    expect((await stage.run(["loop", "logs", id])).out).toContain("All lines are there.");
    expect((await stage.run(["loop", "diff", id])).out).toContain("+line 3");
    const accepted = await stage.run(["loop", "accept", id]);
    expect(accepted.out).toContain("✓ Merged as");
    expect(await readFile(join(stage.repository, "notes.txt"), "utf8")).toBe("one\nline 1\nline 2\nline 3\n");
    expect(await stage.leftovers()).toEqual([]);
  });

  test("[R-RUN-4] out of iterations is told by exit code 12, and resume with a higher limit goes on", async () => {
    await using stage = await openStage(endlessScript);
    const run = await stage.run([
      "loop",
      "run",
      "--dir",
      stage.repository,
      "--prompt",
      "More.",
      ...scripted,
      "--max-iterations",
      "1",
    ]);
    expect(run.code).toBe(12);
    expect(run.out).toContain("▲ out of iterations");
    const id = /Loop ([0-9a-f]{8})/.exec(run.out)?.[1] ?? "";
    const more = await stage.run(["loop", "resume", id, "--max-iterations", "2", "--json"]);
    expect(more.code).toBe(12);
    expect(lastJson(more.out).state.currentIteration).toBe(2);
  });

  test("[R-RUN-5] a wrong key ends it at once, with exit code 11 and what the provider said", async () => {
    await using stage = await openStage(statusScript(401, { message: "this key is no key" }));
    const run = await stage.run(["loop", "run", "--dir", stage.repository, "--prompt", "Work.", ...scripted]);
    expect(run.code).toBe(11);
    expect(run.out).toContain("✗ failed");
    expect(run.out).toContain("this key is no key");
    expect(run.out).toContain("1 iteration,");
  });

  test("[R-BACK-4] a model that is not there ends it at once, by name", async () => {
    await using stage = await openStage(endlessScript);
    for (const model of ["scripted/unheard-of", "nobody/model"]) {
      const run = await stage.run(["loop", "run", "--dir", stage.repository, "--prompt", "Work.", "--model", model]);
      expect(run.code).toBe(11);
      expect(run.out).toContain(model.split("/")[1] ?? "");
      expect(run.out).toContain("1 iteration,");
    }
  });

  test("Ctrl+C pauses it, its agent is gone, and resume takes the iteration up again", async () => {
    await using stage = await openStage(sleepingScript);
    const run = stage.start([
      "loop",
      "run",
      "--dir",
      stage.repository,
      "--prompt",
      "Wait.",
      ...scripted,
      "--name",
      "waiter",
    ]);
    await run.says("I wait.");
    await eventually(async () => (await stage.leftovers()).length > 3); // ours, the guard, opencode, the shell, sleep
    run.signal("SIGINT");
    const { code, out } = await run.ended;
    expect(code).toBe(130);
    expect(out).toContain("‖ paused");
    expect(out).toContain("ralpher loop resume");
    await eventually(async () => (await stage.leftovers()).length === 0);

    const resumed = stage.start(["loop", "resume", "waiter"]);
    await resumed.says("attempt 2");
    const stopped = await stage.run(["loop", "stop", "waiter", "--reason", "enough waiting"]);
    expect(stopped.out).toContain("■ stopped: enough waiting");
    expect((await resumed.ended).code).toBe(10);
    await eventually(async () => (await stage.leftovers()).length === 0);
  });

  test("[R-BACK-6] an agent killed in the middle of a turn is noticed, and the loop goes on with a new one", async () => {
    await using stage = await openStage({
      conversations: [sleepingScript.conversations[0], ...appendingScript(2).conversations].map((conversation, n) =>
        n === 0 ? { ...conversation, when: "This is iteration 1 " } : conversation,
      ),
    });
    const run = stage.start(["loop", "run", "--dir", stage.repository, "--prompt", "Go on.", ...scripted, "--json"]);
    await run.says("loop.session");
    await eventually(async () => (await programsNamed("opencode", await stage.leftovers())).length > 0);
    await run.says("I wait.");
    for (const pid of await programsNamed("opencode", await stage.leftovers())) process.kill(pid, "SIGKILL");
    const { code, out } = await run.ended;
    expect(code).toBe(0);
    const ends = eventsOf(out).flatMap((event) => (event.type === "loop.iteration.end" ? [event.outcome] : []));
    expect(ends).toEqual(["error", "complete"]);
    expect(eventsOf(out).find((event) => event.type === "loop.turn.end")).toMatchObject({
      failure: { reason: "crashed" },
    });
    expect(await stage.leftovers()).toEqual([]);
  });

  test("[R-BACK-2] connects to an opencode that is already there, and leaves it there", async () => {
    await using stage = await openStage(appendingScript(1));
    const server = Bun.spawn(["opencode", "serve", "--hostname", "127.0.0.1", "--port", "0"], {
      cwd: stage.folder,
      env: stage.env,
      stdout: "pipe",
      stderr: "ignore",
    });
    try {
      let out = "";
      for await (const chunk of server.stdout.pipeThrough(new TextDecoderStream())) {
        out += chunk;
        if (/listening on http:\/\/[^:]+:\d+/.test(out)) break;
      }
      const port = /listening on http:\/\/[^:]+:(\d+)/.exec(out)?.[1] ?? "";
      const run = await stage.run([
        "loop",
        "run",
        "--dir",
        stage.repository,
        "--prompt",
        "Add.",
        ...scripted,
        "--connect",
        `127.0.0.1:${port}`,
      ]);
      expect(run.code).toBe(0);
      expect(server.killed || server.exitCode !== null).toBe(false);
      const nobody = await stage.run([
        "loop",
        "run",
        "--dir",
        stage.repository,
        "--prompt",
        "Add.",
        "--connect",
        "127.0.0.1:9",
        "--failure-threshold",
        "1",
      ]);
      expect(nobody.code).toBe(11);
      expect(nobody.out).toContain("127.0.0.1:9");
    } finally {
      server.kill("SIGKILL");
      await server.exited;
    }
  });
});

async function programsNamed(name: string, pids: number[]): Promise<number[]> {
  const named: number[] = [];
  for (const pid of pids) {
    const line = await Bun.file(`/proc/${pid}/cmdline`)
      .text()
      .catch(() => "");
    const program = line.split("\0")[0] ?? "";
    if (program.endsWith(name) || program.endsWith(`${name}.exe`)) named.push(pid);
  }
  return named;
}
