import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Orientation } from "@ralpher/contract";
import { execute, orient, setUp, task } from "./src/soda-script.ts";
import { eventsOf, eventually, git, lastJson, openStage } from "./src/stage.ts";

setDefaultTimeout(120_000);

const spec = `# Greeter

- hello.txt says hello
- hello.txt names who is greeted
`;

const says = "hello.txt says hello";
const names = "hello.txt names who is greeted";
const verdict = (criterion: string, satisfied: boolean): Orientation["criteria"][number] =>
  satisfied
    ? { criterion, satisfied, evidence: [{ file: "hello.txt", line: 1 }] }
    : { criterion, satisfied, evidence: [], note: "it is not there" };
const judged = (first: boolean, second: boolean) => [verdict(says, first), verdict(names, second)];

const writes = (command: string) => [
  orient(1, {
    criteria: judged(false, false),
    gaps: [{ severity: "major", description: "hello.txt is missing" }],
    new_tasks: [task("new-1", "Write the greeting")],
    task_updates: [{ id: "app-nobody", action: "close", comment: "done" }],
    iteration_plan: { intent: "write the greeting", approach: "one file", tasks: ["new-1"] },
  }),
  ...execute("opencode", "Write the greeting", command, { learnings: ["one file is enough"] }),
  setUp,
];
const done = (iteration: number) =>
  orient(iteration, {
    summary: "both criteria hold",
    criteria: judged(true, true),
    spec_satisfied: true,
    actionable_work_exists: false,
  });
const need = "Who is greeted? Name one person; only one.";
const stuck = (iteration: number) =>
  orient(iteration, {
    criteria: judged(true, false),
    actionable_work_exists: false,
    gaps: [
      { severity: "minor", description: "no README" },
      { severity: "critical", description: need },
    ],
  });

/** A project with a spec, and `soda` in it, with the scripted agent. */
async function openProject(conversations: unknown[]) {
  const stage = await openStage(null, {
    program: [process.execPath, join(import.meta.dir, "../packages/cli/src/soda.ts")],
  });
  const { folder, repository } = stage;
  await writeFile(join(repository, "Sodafile"), spec);
  const script = join(folder, "script.json");
  const play = (steps: unknown[]) => writeFile(script, JSON.stringify({ conversations: steps }));
  await play(conversations);
  const home = { SODA_HOME: join(folder, "soda"), TRACE_HOME: join(folder, "trace") };
  return {
    stage,
    repository,
    play,
    scripted: ["--agent", "scripted", "--script", script],
    start: (...args: string[]) => stage.start(args, home, repository),
    sodaIn: (dataDir: string, ...args: string[]) => stage.run(args, { ...home, RALPHER_DATA_DIR: dataDir }, repository),
    soda: (...args: string[]) => stage.run(args, home, repository),
    sodaAt: (folder: string, ...args: string[]) => stage.run(args, home, folder),
    /** As a human in the project's folder. */
    async trc(...args: string[]) {
      const program = [process.execPath, join(import.meta.dir, "../packages/cli/src/trc.ts"), ...args];
      const run = Bun.spawn(program, {
        cwd: repository,
        env: { ...stage.env, ...home },
        stdout: "pipe",
        stderr: "pipe",
      });
      return { code: await run.exited, out: await new Response(run.stdout).text() };
    },
    soda_home: home.SODA_HOME,
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

describe("soda, with the scripted agent", () => {
  test("[L-CLI-1, L-ITER-6, L-END-1] a run is told phase by phase, at 80 columns and without colour, and ends with 0 when it is done", async () => {
    await using project = await openProject([...writes("echo hello Ada > hello.txt"), done(2)]);
    const { code, out, err } = await project.soda("run", ...project.scripted);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const order = [
      "Spec       Greeter",
      "Iteration 1 of at most 20",
      "SENSE   on soda/greeter",
      "no test command",
      "ORIENT",
      `✗ ${says}`,
      "it is not there",
      "0 of 2 criteria satisfied",
      "major: hello.txt is missing",
      "Write the greeting",
      "✗ refused: close app-nobody, for there is no such task",
      "DECIDE  CONTINUE",
      "plan write the greeting",
      "ACT     on soda/iteration-1",
      "tests before any work: there are none to run",
      "▶ ",
      "· bash echo hello Ada > hello.txt",
      "[SODA] ",
      "✓ completed: Write the greeting: done and proved",
      "learned: one file is enough",
      "merged into soda/greeter",
      "continue after",
      "Iteration 2 of at most 20",
      "1 closed",
      `✓ ${says}`,
      "hello.txt:1",
      "2 of 2 criteria satisfied",
      "DECIDE  DONE",
      "✓ completed: every acceptance criterion is satisfied",
      "soda pr --run",
    ];
    let at = 0;
    for (const words of order) {
      const found = out.indexOf(words, at);
      expect({ words, found: found >= 0, after: out.slice(at, at + 200) }).toMatchObject({ found: true });
      at = found;
    }
    expect(out).not.toContain("\x1b");
    const long = out.split("\n").filter((line) => Bun.stringWidth(line) > 80 && !line.includes("/"));
    expect(long).toEqual([]);
    expect(await git(project.repository, "show", "soda/greeter:hello.txt")).toBe("hello Ada");
    expect(await git(project.repository, "status", "--porcelain")).toBe("?? Sodafile");
    expect(await project.stage.leftovers()).toEqual([]);
  });

  test("[L-HUM-1, L-HUM-4, L-END-2, L-CLI-3, L-CLI-4] a run that is stuck waits, is looked at from elsewhere, and goes on with the answer", async () => {
    await using project = await openProject([...writes("echo hello > hello.txt"), stuck(2), done(3)]);
    const { soda, repository } = project;
    const run = project.start("run", ...project.scripted, "--wait");
    await run.says("it goes on by itself then");
    const told = run.out().slice(run.out().indexOf("? STUCK"));
    expect(told.indexOf(need)).toBeLessThan(told.indexOf("no README"));
    expect(told).toContain('soda answer "…" --run');
    expect(told).toMatch(/trc comment \S+ "…"/);
    expect(told).toContain(join(repository, "Sodafile"));

    const status = await soda("status");
    expect(status.out).toContain("? stuck · iteration 2 of at most 20");
    expect(status.out).toContain("1 of 2 criteria satisfied, as judged in iteration 2");
    expect(status.out).toContain("Waits for");
    const { criteria, tasks, waitsFor, run: loop } = JSON.parse((await soda("status", "--json")).out);
    expect({ criteria, tasks, waitsFor }).toMatchObject({
      criteria: { iteration: 2, satisfied: 1, all: 2, list: judged(true, false) },
      tasks: { open: [], closed: 1, root: { title: "Greeter" } },
      waitsFor: expect.stringContaining(need),
    });
    const again = await soda("run", ...project.scripted);
    expect(again).toMatchObject({ code: 5, out: "" });
    expect(again.err).toContain("is not finished (stuck");
    expect(again.err).toContain(`soda resume ${loop.config.id.slice(0, 8)}`);

    const answered = await soda("answer", "Greet", "Ada.", "She asked for it.");
    expect(answered).toMatchObject({ code: 0, out: expect.stringContaining("woken") });
    const { code, out } = await run.ended;
    expect(code).toBe(0);
    expect(out).toContain("› woken: a human answered");
    expect(out).toContain("› an answer: Greet Ada. She asked for it.");

    const history = await soda("history");
    for (const words of ["✓ completed  Greeter", "1  CONTINUE  write the greeting", "2  STUCK", "3  DONE"]) {
      expect(history.out).toContain(words);
    }
    const [past] = JSON.parse((await soda("history", "--json")).out);
    expect(past.iterations).toMatchObject([
      {
        intent: "write the greeting",
        decision: "CONTINUE",
        criteria: [0, 2],
        commits: 1,
        tasks: [{ outcome: "completed" }],
      },
      { decision: "STUCK", criteria: [1, 2], reason: expect.stringContaining(need) },
      { decision: "DONE", criteria: [2, 2] },
    ]);
    const [id = ""] = await readdir(join(project.soda_home, "projects"));
    expect(await readdir(join(project.soda_home, "projects", id, "summaries"))).toHaveLength(2);
  });

  test("[L-HUM-3] Ctrl+C while it waits leaves with 13 and says how to come back; a changed spec is what it goes on with", async () => {
    await using project = await openProject([...writes("echo hello > hello.txt"), stuck(2), done(3)]);
    const run = project.start("run", ...project.scripted, "--wait");
    await run.says("it goes on by itself then");
    run.signal("SIGINT");
    const left = await run.ended;
    expect(left.code).toBe(13);
    expect(left.out).toContain("come back with: soda resume");
    const nobody = await project.soda("answer", "--json", "Ada");
    expect(JSON.parse(nobody.out)).toMatchObject({ woken: true, inHand: false });
    await writeFile(join(project.repository, "Sodafile"), `${spec}- It is Ada.\n`);
    const resumed = await project.soda("resume");
    expect(resumed.code).toBe(0);
    expect(resumed.out).toContain("The spec was changed; it is obeyed from now on.");
  });

  test("[L-HUM-2, W-5] what an agent does with trc in its task is no human's word, what a human does is", async () => {
    const trcs = [
      "root=$(trc list | awk '/Greeter/ { print $2 }')",
      'one=$(trc create One --description "" --parent $root --quiet)',
      'two=$(trc create Two --description "" --parent $root --quiet)',
      "trc reparent $two $one",
      'trc comment $one "see above" --source me',
      "trc update $one --priority 4",
    ].join("; ");
    await using project = await openProject([...writes(`echo hello > hello.txt; ${trcs}`), stuck(2), done(3)]);
    const humanInput = async () => JSON.parse((await project.soda("sense", "--json")).out).human_input;
    const run = await project.soda("run", ...project.scripted, "--json");
    const sensed = eventsOf(run.out).filter((event) => event.type === "loop.sensed");
    expect(sensed.map(({ claims }) => claims.human_input)).toEqual([null, null]);
    expect(sensed[1]?.claims.work_state).toMatchObject({ open: [{ title: "Two" }, { title: "One" }] });
    expect(await humanInput()).toBeNull();
    const root = JSON.parse((await project.soda("status", "--json")).out).tasks.root.id;
    await project.trc("create", "Mine", "--description", "", "--parent", root);
    expect(await humanInput()).toMatchObject({
      items: [{ type: "task_update", content: expect.stringContaining("Mine") }],
    });
  });

  test("[L-HUM-1] a stuck run is not resumed without news, but with some, with other settings, and anyway", async () => {
    await using project = await openProject([
      ...writes("echo hello > hello.txt"),
      stuck(2),
      stuck(3),
      stuck(4),
      done(5),
    ]);
    const { soda, scripted } = project;
    expect((await soda("run", ...scripted)).code).toBe(13);
    const refused = await soda("resume");
    expect(refused).toMatchObject({ code: 5, out: "" });
    expect(refused.err).toContain("nothing has changed since: answer, comment, change the spec, or --anyway");
    expect(refused.err).toMatch(/soda answer "…" --run \w+/);
    const status = async () => JSON.parse((await soda("status", "--json")).out).run;
    expect((await status()).state.currentIteration).toBe(2);
    expect((await soda("resume", "--anyway")).code).toBe(13);
    expect((await soda("resume")).code).toBe(5);
    expect((await soda("resume", "--test", "true; false")).code).toBe(2);
    expect((await soda("resume", "--max-iterations", "30")).code).toBe(5);
    expect(await soda("resume", "--max-iterations", "3")).toMatchObject({
      code: 2,
      err: expect.stringContaining("more"),
    });
    expect((await soda("resume", "--test", "true", "--uncommitted", "ignore")).code).toBe(13);
    expect((await status()).config.strategy.test).toBe("true");
    const root = JSON.parse((await soda("status", "--json")).out).tasks.root.id;
    expect((await project.trc("comment", root, "It is Ada")).code).toBe(0);
    expect((await soda("resume")).code).toBe(0);
  });

  test("a stuck run can be stopped, one that has ended stays as it is", async () => {
    await using project = await openProject([stuck(1), done(2)]);
    const { soda } = project;
    const run = project.start("run", ...project.scripted, "--wait");
    await run.says("it goes on by itself then");
    const stopped = await soda("stop", "--reason", "the spec is wrong");
    expect(stopped).toMatchObject({ code: 0, out: expect.stringContaining("stopped: the spec is wrong") });
    expect((await run.ended).code).toBe(10);
    expect((await soda("stop")).out).toContain("stopped: the spec is wrong");
    expect((await soda("resume")).code).toBe(0);
    expect(await soda("stop")).toMatchObject({ code: 0, out: expect.stringContaining("✓ completed") });
    // The milestone was closed by the run itself.
    expect(JSON.parse((await soda("sense", "--json")).out).human_input).toBeNull();
  });

  test("an iteration that commits nothing merges nothing, and says so", async () => {
    await using project = await openProject([...writes("true"), done(2)]);
    const { out } = await project.soda("run", ...project.scripted);
    expect(out).toContain("nothing to merge: no commit was made on soda/iteration-1");
    expect(out).not.toContain("merged into");
  });

  test("the example in the docs does what they say: it is stuck, is answered, and is done", async () => {
    await using project = await openProject([]);
    const example = join(import.meta.dir, "../docs/examples/soda");
    const folder = join(project.stage.folder, "greeter");
    await mkdir(folder);
    await copyFile(join(example, "Sodafile"), join(folder, "Sodafile"));
    const scripted = ["--agent", "scripted", "--script", join(example, "script.yaml")];
    const stuckRun = await project.sodaAt(folder, "run", ...scripted);
    expect(stuckRun.code).toBe(13);
    expect(stuckRun.out).toContain("Which words greet in French: Bonjour or Salut?");
    expect((await project.sodaAt(folder, "answer", "Bonjour")).code).toBe(0);
    const resumed = await project.sodaAt(folder, "resume");
    expect(resumed.code).toBe(0);
    expect(resumed.out).toContain("› an answer: Bonjour");
    expect(resumed.out).toContain("2 passed, 0 failed");
    expect(resumed.out).toContain("3 of 3 criteria satisfied");
    expect(await git(folder, "show", "soda/greeter:src/greet.js")).toContain("Bonjour");
    const guide = await Bun.file(join(example, "../../soda.md")).text();
    expect(guide).toContain("docs/examples/soda/script.yaml");
  });

  test("[L-LIM-3, L-CLI-5, L-MILE-5] Ctrl+C in the middle of a task pauses it, resume goes on where it was", async () => {
    const slow = "[ -e begun.txt ] || { echo begun > begun.txt; sleep 1000; }; echo hello > hello.txt";
    await using project = await openProject([...writes(slow), done(2)]);
    const run = project.start("run", ...project.scripted);
    await run.says("Write the greeting");
    const worktrees = join(project.stage.dataDir, "worktrees");
    await eventually(async () =>
      (await readdir(worktrees, { recursive: true })).some((path) => path.endsWith("begun.txt")),
    );
    run.signal("SIGINT");
    const paused = await run.ended;
    expect(paused.code).toBe(130);
    expect(paused.out).toContain("‖ paused");
    expect(paused.out).toContain("Go on:         soda resume");
    expect(await project.stage.leftovers()).toEqual([]);
    const resumed = await project.soda("resume", "--json");
    expect(resumed.code).toBe(0);
    expect(lastJson(resumed.out).state).toMatchObject({ status: "completed", currentIteration: 2 });
    expect(await git(project.repository, "branch", "--list", "--format=%(refname:short)", "soda/*")).toBe(
      "soda/greeter",
    );
  });

  test("[L-LIM-1, L-LIM-2] the limit ends it as stuck with 13 and a summary; resume with a higher one goes on", async () => {
    await using project = await openProject([...writes("echo hello Ada > hello.txt"), done(2)]);
    const run = await project.soda("run", ...project.scripted, "--max-iterations", "1", "--wait");
    expect(run.code).toBe(13);
    expect(run.out).toContain("its one iteration was used");
    const summary = /Summary +(\S+\.md)/.exec(run.out)?.[1] ?? "";
    expect(await Bun.file(summary).text()).toMatch(/soda resume \w+ --max-iterations/);
    expect(run.out).toMatch(/soda resume \w+ --max-iterations 11/);
    expect((await project.soda("resume", "--max-iterations", "3")).code).toBe(0);
  });

  test("[L-CLI-2] --json prints events, does not wait, and its code tells the end; --spec names the spec", async () => {
    await using project = await openProject([...writes("echo hello > hello.txt"), stuck(2)]);
    await writeFile(join(project.repository, "other.md"), "# Another thing\n\n- hello.txt says hello\n");
    await git(project.repository, "add", "other.md");
    await git(project.repository, "commit", "-q", "-m", "another spec");
    const dirty = ["--uncommitted", "ignore"];
    const { code, out } = await project.soda("run", ...project.scripted, "--json", "--spec", "other.md", ...dirty);
    expect(code).toBe(13);
    const types = eventsOf(out).map(({ type }) => type);
    expect(types[0]).toBe("loop.created");
    for (const type of [
      "loop.sensed",
      "loop.oriented",
      "loop.planned",
      "loop.decided",
      "loop.task.end",
      "loop.stuck",
    ] as const) {
      expect(types).toContain(type);
    }
    expect(lastJson(out)).toMatchObject({ config: { name: "Another thing" }, state: { status: "stuck" } });
  });

  test("[L-CLI-1] of many runs that are begun at once in a folder, one is made, and the others point to it", async () => {
    await using project = await openProject([stuck(1)]);
    // Until the first run has begun, git takes its time: all of them are looking at the folder then.
    const slowGit = join(project.stage.bin, "git");
    const begun = join(project.repository, ".soda-id");
    await writeFile(slowGit, `#!/bin/sh\n[ -e '${begun}' ] || sleep 0.2\nexec '${Bun.which("git")}' "$@"\n`);
    await chmod(slowGit, 0o755);
    const all = await Promise.all([1, 2, 3].map(() => project.soda("run", ...project.scripted)));
    expect(all.map(({ code }) => code).sort()).toEqual([13, 5, 5]);
    for (const { code, err } of all) if (code === 5) expect(err).toContain("soda resume");
    expect(JSON.parse((await project.soda("history", "--json")).out)).toHaveLength(1);
  });

  test("a base that is not there and a command for a shell are told before there is a run", async () => {
    await using project = await openProject([stuck(1)]);
    const base = await project.soda("run", ...project.scripted, "--base", "nosuch");
    expect(base).toMatchObject({ code: 2, out: "", err: expect.stringContaining("no branch nosuch") });
    const command = await project.soda("run", ...project.scripted, "--test", "true; false");
    expect(command).toMatchObject({ code: 2, out: "", err: expect.stringContaining("shell") });
    expect((await project.soda("run", ...project.scripted, "--base", "main")).code).toBe(13);
  });

  test("a run whose work was accepted does not go on; the way to a new one is told", async () => {
    await using project = await openProject([...writes("echo hello Ada > hello.txt"), done(2)]);
    const ended = await project.soda("run", ...project.scripted, "--json");
    const { id } = lastJson(ended.out).config;
    const ralpher = [process.execPath, join(import.meta.dir, "../packages/cli/src/ralpher.ts"), "loop", "accept", id];
    const accepting = Bun.spawn(ralpher, { env: project.stage.env, stdout: "ignore", stderr: "ignore" });
    expect(await accepting.exited).toBe(0);
    const { code, err } = await project.soda("resume", id);
    expect(code).toBe(5);
    expect(err).toContain("Its work was accepted; begin a new run: soda run --new");
  });

  // A file system of its own with 6 MiB; only root can mount one.
  test.skipIf(process.getuid?.() !== 0 || process.platform !== "linux")(
    "a disk that fills up ends the command with 3 at once, and resume goes on when there is room",
    async () => {
      await using project = await openProject([]);
      const small = join(project.stage.folder, "small");
      const filler = join(small, "filler");
      await mkdir(small);
      expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=6m", "none", small]).exitCode).toBe(0);
      try {
        await project.play([...writes(`cat /dev/zero > '${filler}' 2>/dev/null; true`), done(2)]);
        const data = join(small, "data");
        const full = await project.sodaIn(data, "run", ...project.scripted);
        expect(full.code).toBe(3);
        expect(full.err).toMatch(/^soda: The disk that holds .+ is full\. .+\(soda resume\)\n$/);
        await rm(filler);
        await project.play([...writes("echo hello Ada > hello.txt"), done(2)]);
        expect((await project.sodaIn(data, "resume")).code).toBe(0);
      } finally {
        Bun.spawnSync(["umount", "-l", small]);
      }
    },
  );

  test("[S-OUT-1] sense claims something before and after the first run, for people and as JSON", async () => {
    await using project = await openProject([...writes("echo hello > hello.txt"), stuck(2)]);
    const before = JSON.parse((await project.soda("sense", "--json")).out);
    expect(before).toMatchObject({
      iteration_number: 1,
      code_state: { branch: "main" },
      human_input: null,
      learnings: "",
    });
    await project.soda("run", ...project.scripted);
    const { out } = await project.soda("sense");
    for (const words of ["Claims for iteration 3", "on soda/greeter", "hello.txt", "1 closed", "one file is enough"]) {
      expect(out).toContain(words);
    }
  });

  test("[L-MILE-1] without a spec it says what one is; without a run, how to begin one", async () => {
    await using project = await openProject([]);
    const none = await project.soda("run", "--spec", "nowhere.md");
    expect(none).toMatchObject({ code: 2, out: "" });
    expect(none.err).toContain("## Acceptance criteria");
    expect(await project.soda("status")).toMatchObject({ code: 4, err: expect.stringContaining("soda run") });
    expect(await project.soda("answer", "yes")).toMatchObject({ code: 4 });
  });
});
