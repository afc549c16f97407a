import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BackendReport } from "@ralpher/contract";
import { endlessScript, sleepingScript } from "./src/scripts.ts";
import { eventually, git, lastJson, makeRepository, openStage, putProgram, type Stage } from "./src/stage.ts";

/** One turn of the in-process agent that writes a file, then the promise. */
const writing = JSON.stringify({
  conversations: [
    {
      steps: [
        { text: "Writing.", tools: [{ name: "write", input: { filePath: "written.txt", content: "written\n" } }] },
        { text: "<promise>COMPLETE</promise>" },
      ],
    },
  ],
});

async function openScripted() {
  const stage = await openStage();
  const script = join(stage.folder, "script.json");
  await writeFile(script, writing);
  const run = (dir: string, ...more: string[]) =>
    stage.run(["loop", "run", "--dir", dir, "--prompt", "Write.", "--agent", "scripted", "--script", script, ...more]);
  return { stage, run, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}

const loops = async (stage: Stage) => JSON.parse((await stage.run(["loop", "list", "--json"])).out).length;

/** One sentence on standard error, no stack, and the exit code. */
function expectRefusal(ended: { code: number; out: string; err: string }, code: number, ...words: string[]): void {
  for (const word of words) expect(ended.err).toContain(word);
  expect(ended.err).toStartWith("ralpher: ");
  expect(ended.err.trim().split("\n")).toHaveLength(1);
  expect(ended.code).toBe(code);
}

describe("folders that cannot be worked in", () => {
  test("[R-GIT-7] each is refused in one sentence with what to do, and nothing is made", async () => {
    await using scripted = await openScripted();
    const { stage, run } = scripted;
    const make = async (name: string, ...commands: string[][]) => {
      const path = join(stage.folder, name);
      await mkdir(path);
      for (const command of commands) await git(path, ...command);
      return path;
    };
    expectRefusal(await run(join(stage.folder, "nowhere")), 2, "There is no folder");
    expectRefusal(await run(await make("plain")), 2, "not in a git repository", "git init");
    expectRefusal(await run(await make("bare", ["init", "-q", "--bare"])), 2, "bare repository");
    expectRefusal(await run(await make("empty", ["init", "-q"])), 2, "no commits yet");
    await writeFile(join(stage.repository, "notes.txt"), "changed\n");
    expectRefusal(await run(stage.repository), 5, "uncommitted changes", "notes.txt", "commit, stash or ignore");
    await git(stage.repository, "checkout", "-q", "--", ".");
    await git(stage.repository, "checkout", "-q", "--detach");
    expectRefusal(await run(stage.repository), 2, "detached HEAD", "git switch");
    expect(await loops(stage)).toBe(0);
    expect(await readdir(stage.dataDir)).not.toContain("worktrees");
  });

  test("[R-GIT-7] spaces, letters of other scripts, and a leading dash in a path are no trouble", async () => {
    await using scripted = await openScripted();
    const { stage, run } = scripted;
    const path = join(stage.folder, "-mein Projekt ☃ 项目");
    await makeRepository(path);
    const ended = await run(path, "--json");
    expect(ended.code).toBe(0);
    const { git: facts } = lastJson(ended.out).state;
    expect(await git(path, "show", `${facts?.workingBranch}:written.txt`)).toBe("written");
  });

  test("[R-GIT-7] a repository with a submodule works; its own files are left to it", async () => {
    await using scripted = await openScripted();
    const { stage, run } = scripted;
    const other = join(stage.folder, "other");
    await makeRepository(other);
    await git(stage.repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "sub");
    await git(stage.repository, "commit", "-q", "-m", "with a submodule");
    const ended = await run(stage.repository, "--json");
    expect(ended.code).toBe(0);
    expect(lastJson(ended.out).state.git?.commitCount).toBe(1);
    expect((await stage.run(["loop", "delete", "-y", lastJson(ended.out).config.id])).code).toBe(0);
  });

  test("[R-GIT-7] Git LFS that is not installed does not cost the work", async () => {
    await using scripted = await openScripted();
    const { stage, run } = scripted;
    await writeFile(join(stage.repository, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    await git(stage.repository, "add", "-A");
    await git(stage.repository, "commit", "-q", "-m", "lfs");
    for (const [key, value] of [
      ["clean", "git-lfs clean -- %f"],
      ["smudge", "git-lfs smudge -- %f"],
      ["process", "git-lfs filter-process"],
      ["required", "true"],
    ]) {
      await git(stage.repository, "config", `filter.lfs.${key}`, value ?? "");
    }
    const ended = await run(stage.repository, "--json");
    expect(lastJson(ended.out).state).toMatchObject({ status: "completed", git: { commitCount: 1 } });
  });
});

describe("commits that are refused", () => {
  const committed = async (setUp: (stage: Stage) => Promise<void>, notice: string) => {
    await using scripted = await openScripted();
    await setUp(scripted.stage);
    const ended = await scripted.run(scripted.stage.repository);
    expect(ended.code).toBe(0);
    expect(ended.out).toContain(notice);
    expect(ended.out).toContain("1 commit,");
  };

  test("[R-GIT-2] by a hook: the work is committed without it, and the log says what the hook said", () =>
    committed(async ({ repository }) => {
      const hook = join(repository, ".git/hooks/pre-commit");
      await writeFile(hook, "#!/bin/sh\necho 'the linter is not happy' >&2\nexit 1\n");
      await chmod(hook, 0o755);
    }, "the linter is not happy"));

  test("[R-GIT-2] by a signature that cannot be made: the work is committed unsigned, with a notice", () =>
    committed(async (stage) => {
      await putProgram(stage, "no-gpg", "#!/bin/sh\necho 'no secret key' >&2\nexit 2\n");
      await git(stage.repository, "config", "commit.gpgsign", "true");
      await git(stage.repository, "config", "gpg.program", join(stage.bin, "no-gpg"));
    }, "!"));
});

describe("words that cannot be used", () => {
  test("[R-RUN-3] an empty goal, a pattern that is none, a number that is none: exit code 2 and nothing is made", async () => {
    await using scripted = await openScripted();
    const { stage, run } = scripted;
    expectRefusal(await stage.run(["loop", "run", "--dir", stage.repository, "--prompt", "  "]), 2, "prompt", "empty");
    expectRefusal(await stage.run(["loop", "run", "--dir", stage.repository]), 2, "--prompt");
    expectRefusal(await stage.run(["loop", "run", "--prompt-file", join(stage.folder, "none.md")]), 2, "--prompt-file");
    expectRefusal(await run(stage.repository, "--stop-pattern", "("), 2, "stopPattern");
    expectRefusal(await run(stage.repository, "--stop-pattern", "(?=x)"), 2, "RE2");
    expectRefusal(await run(stage.repository, "--model", "nameless"), 2, "provider/model");
    expectRefusal(await run(stage.repository, "--connect", "somewhere"), 2, "host:port");
    for (const limit of ["0", "-1", "many"])
      expect((await run(stage.repository, "--max-iterations", limit)).code).toBe(2);
    expect((await stage.run(["loop", "fly"])).code).toBe(2);
    expectRefusal(await stage.run(["loop", "show", "zzz"]), 4, "There is no loop zzz");
    expect(await loops(stage)).toBe(0);
  });

  test("[R-RUN-3] a pattern that is catastrophic elsewhere is tried in no time", async () => {
    await using scripted = await openScripted();
    const ended = await scripted.run(
      scripted.stage.repository,
      "--stop-pattern",
      "(.*)*(.*)*COMPLETE</promise>$",
      "--json",
    );
    expect(lastJson(ended.out).state.status).toBe("completed");
  });
});

describe("what Ralpher needs", () => {
  test("an agent that is not installed: exit code 3, how to get it, and nothing is made", async () => {
    await using stage = await openStage(endlessScript);
    await rm(join(stage.bin, "opencode"));
    const ended = await stage.run(["loop", "run", "--dir", stage.repository, "--prompt", "Work."]);
    expectRefusal(ended, 3, "opencode was not found", "npm install -g opencode-ai");
    expect(await loops(stage)).toBe(0);
    const doctor = await stage.run(["doctor"]);
    // Claude Code comes with Ralpher, so there is an agent.
    expect(doctor.code).toBe(0);
    for (const words of ["! opencode", "npm install -g opencode-ai", "✓ claude"]) expect(doctor.out).toContain(words);
    const other = ["loop", "run", "--dir", stage.repository, "--prompt", "Work.", "--agent", "acp"];
    expectRefusal(
      await stage.run([...other, "--agent-command", "no-such-agent --acp"]),
      3,
      "no-such-agent was not found",
    );
    expect(await loops(stage)).toBe(0);
  });

  test("[R-BACK-3] every backend is listed, with what it can do and whether it is there", async () => {
    await using stage = await openStage();
    const { url } = await stage.serve();
    const backends = BackendReport.array().parse(await (await fetch(`${url}/api/backends`)).json());
    expect(backends.map(({ type, health }) => [type, health.state])).toEqual([
      ["opencode", "ready"],
      ["claude", "ready"],
      ["acp", "ready"],
      ["scripted", "ready"],
    ]);
    expect(backends.map(({ capabilities }) => capabilities.structuredOutput)).toEqual([
      "native",
      "native",
      "prompt",
      "native",
    ]);
  });

  test("an agent that is too old or broken is told apart", async () => {
    await using stage = await openStage(endlessScript);
    await putProgram(stage, "opencode", "#!/bin/sh\necho 0.3.1\n");
    expectRefusal(
      await stage.run(["loop", "run", "--dir", stage.repository, "--prompt", "Work."]),
      3,
      "older than 1.0",
    );
    await putProgram(stage, "opencode", "#!/bin/sh\nexit 1\n");
    expectRefusal(await stage.run(["loop", "run", "--dir", stage.repository, "--prompt", "Work."]), 3, "--version");
  });

  test("git that is not installed: exit code 3", async () => {
    await using scripted = await openScripted();
    const { stage } = scripted;
    const script = join(stage.folder, "script.json");
    const args = ["--dir", stage.repository, "--prompt", "x", "--agent", "scripted", "--script", script];
    const ended = await stage.run(["loop", "run", ...args], { PATH: stage.bin });
    expectRefusal(ended, 3, "git was not found");
  });

  test("[R-DATA-1] a data folder that cannot be used, or a damaged database: exit code 3, and the file stays as it is", async () => {
    await using stage = await openStage();
    const file = join(stage.folder, "file");
    await writeFile(file, "");
    expectRefusal(await stage.run(["loop", "list"], { RALPHER_DATA_DIR: join(file, "data") }), 3, "RALPHER_DATA_DIR");
    await mkdir(stage.dataDir, { recursive: true });
    const database = join(stage.dataDir, "ralpher.db");
    await writeFile(database, "not a database at all ".repeat(500));
    expectRefusal(await stage.run(["loop", "list"]), 3, "damaged", "Nothing was changed");
    expect(await Bun.file(database).text()).toBe("not a database at all ".repeat(500));
    expect((await stage.run(["doctor"])).code).toBe(3);
  });

  test("wrong environment: each variable by name", async () => {
    await using stage = await openStage();
    expectRefusal(await stage.run(["loop", "list"], { RALPHER_PORT: "many" }), 2, "RALPHER_PORT");
    expectRefusal(await stage.run(["serve"], { RALPHER_LOG_LEVEL: "loud" }), 2, "RALPHER_LOG_LEVEL");
    expectRefusal(await stage.run(["serve"], { RALPHER_TOKEN: "short" }), 2, "RALPHER_TOKEN");
  });

  test("a taken port is told when it was asked for", async () => {
    await using stage = await openStage();
    const { url } = await stage.serve();
    const port = new URL(url).port;
    expectRefusal(await stage.run(["serve", "--port", port]), 3, `Port ${port}`, "--port");
  });

  // A file system of its own with 2 MiB; only root can mount one.
  test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")(
    "a full disk: one sentence, nothing half-done, and the loop goes on when there is room",
    async () => {
      await using scripted = await openScripted();
      const { stage, run } = scripted;
      const small = join(stage.folder, "small");
      await mkdir(small);
      expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=2m", "none", small]).exitCode).toBe(0);
      try {
        const env = { RALPHER_DATA_DIR: join(small, "data") };
        expect((await stage.run(["loop", "list"], env)).code).toBe(0);
        const filler = join(small, "filler");
        Bun.spawnSync(["sh", "-c", `cat /dev/zero > '${filler}' 2>/dev/null`]);
        const full = await stage.run(
          [
            "loop",
            "run",
            "--dir",
            stage.repository,
            "--prompt",
            "Write.",
            "--agent",
            "scripted",
            "--script",
            join(stage.folder, "script.json"),
          ],
          env,
        );
        expectRefusal(full, 3, "is full");
        await rm(filler);
        expect(JSON.parse((await stage.run(["loop", "list", "--json"], env)).out)).toEqual([]);
        expect((await run(stage.repository)).code).toBe(0);
      } finally {
        Bun.spawnSync(["umount", "-l", small]);
      }
    },
  );
});

describe("trouble in the middle of a loop", () => {
  test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")(
    "[R-DATA-2] the disk fills up while the agent works: the command says so and ends, and the same loop goes on when there is room",
    async () => {
      await using stage = await openStage();
      const small = join(stage.folder, "small");
      await mkdir(small);
      expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=3m", "none", small]).exitCode).toBe(0);
      try {
        const env = { RALPHER_DATA_DIR: join(small, "data") };
        const filler = join(small, "filler");
        const script = join(stage.folder, "filling.json");
        const fill = `cat /dev/zero > '${filler}' 2>/dev/null; touch '${join(stage.folder, "filled")}'; true`;
        const steps = [
          { text: "Filling.", tools: [{ name: "bash", input: { command: fill } }] },
          { text: "More to do." },
        ];
        const last = [{ text: "<promise>COMPLETE</promise>" }];
        await writeFile(script, JSON.stringify({ conversations: [{ when: "iteration 1 ", steps }, { steps: last }] }));
        const args = [
          "--dir",
          stage.repository,
          "--prompt",
          "Go.",
          "--agent",
          "scripted",
          "--script",
          script,
          "--no-git",
        ];
        const { code, err } = await stage.run(["loop", "run", ...args, "--name", "full"], env);
        expect(await Bun.file(join(stage.folder, "filled")).exists()).toBe(true);
        expect(code).toBe(3);
        expect(err).toMatch(/^ralpher: The disk that holds .+ is full\. .+\(ralpher loop resume\)\n$/);
        await rm(filler, { force: true });
        await writeFile(script, JSON.stringify({ conversations: [{ steps: last }] }));
        const resumed = await stage.run(["loop", "resume", "full"], env);
        expect(resumed.out).toContain("✓ completed");
        expect(resumed.code).toBe(0);
      } finally {
        Bun.spawnSync(["umount", "-l", small]);
      }
    },
  );

  test("[R-RUN-1] closing the terminal pauses the loop that it ran", async () => {
    await using stage = await openStage(sleepingScript);
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
      "closed",
    ]);
    await run.says("I wait.");
    run.signal("SIGHUP");
    run.signal("SIGHUP");
    run.signal("SIGTERM");
    expect((await run.ended).code).toBe(130);
    expect((await stage.run(["loop", "list"])).out).toContain("‖ paused");
  });

  test("[R-DATA-2] a loop whose process was killed is shown as interrupted, and can be stopped", async () => {
    await using stage = await openStage(sleepingScript);
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
      "killed",
    ]);
    await run.says("I wait.");
    run.signal("SIGKILL");
    await run.ended;
    expect((await stage.run(["loop", "list"])).out).toContain("‖ interrupted");
    expect((await stage.run(["loop", "show", "killed"])).out).toContain("ralpher loop resume");
    expect((await stage.run(["loop", "stop", "killed"])).out).toContain("■ stopped");
  });
});

describe("the server", () => {
  test("[R-DATA-2] SIGTERM ends it in good order: agents gone, port free, exit code 0", async () => {
    await using stage = await openStage(endlessScript);
    const { url, server } = await stage.serve();
    const response = await fetch(`${url}/api/loops`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        directory: stage.repository,
        prompt: "More.",
        model: { providerID: "scripted", modelID: "model" },
        start: {},
      }),
    });
    const { id } = (await response.json()).config;
    await eventually(async () => (await (await fetch(`${url}/api/loops/${id}`)).json()).state.currentIteration >= 2);
    server.signal("SIGTERM");
    expect((await server.ended).code).toBe(0);
    expect(await stage.leftovers()).toEqual([]);
    expect(
      await fetch(url).then(
        () => "open",
        () => "closed",
      ),
    ).toBe("closed");
  });

  test("doctor finds everything, lists the environment, and keeps the secret", async () => {
    await using stage = await openStage();
    const { code, out } = await stage.run(["doctor"], { RALPHER_TOKEN: "a-long-secret" });
    for (const word of [
      "✓ git",
      "✓ opencode",
      "✓ data folder",
      "RALPHER_DATA_DIR",
      "RALPHER_HOST",
      "RALPHER_PORT",
      "RALPHER_TOKEN",
      "RALPHER_LOG_LEVEL",
    ]) {
      expect(out).toContain(word);
    }
    expect(out).not.toContain("a-long-secret");
    expect(code).toBe(0);
    expect(JSON.parse((await stage.run(["doctor", "--json"])).out)).toMatchObject({ works: true });
  });
});
