import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TaskConfig } from "@ralpher/contract";

const program = join(import.meta.dir, "..", "ralpher.ts");

const docs = join(import.meta.dir, "../../../../docs");

/** Every step is done as asked; the one that waits does so until there is a file of that name. */
const script = `conversations:
  - when: "# Your step\\n\\nWait"
    steps:
      - text: I wait.
        tools: [{ name: bash, input: { command: "until [ -e go ]; do sleep 0.02; done" } }]
      - text: It is there.
  - when: "# Your step"
    steps:
      - text: I do it.
  - when: Now report on the step
    steps:
      - structured: { result: success, action: write_code, summary: Done as asked. }
`;

let folder: string;
let vault: string;
const running = new Set<Bun.Subprocess>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ralpher-task-"));
  vault = join(folder, "vault");
  await writeFile(join(folder, "script.yaml"), script);
  await mkdir(join(folder, "home"));
  expect((await say(["task", "init", vault], folder)).out).toContain("ralpher task start Specs/greeting.md");
  const config = join(vault, "Control/autonomous_loop_config.yaml");
  const text = await readFile(config, "utf8");
  await writeFile(config, text.replace(/(iteration_interval_seconds|max_backoff_seconds): \d+/g, "$1: 0"));
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all([...running].map(({ exited }) => exited));
  await rm(folder, { recursive: true });
});

function begin(args: string[], cwd = vault, env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, program, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: join(folder, "home"),
      RALPHER_DATA_DIR: join(folder, "data"),
      NO_COLOR: "1",
      ...env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  let out = "";
  let ring = Promise.withResolvers<void>();
  let isOver = false;
  const reading = (async () => {
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      out += piece;
      ring.resolve();
      ring = Promise.withResolvers();
    }
    isOver = true;
    ring.resolve();
  })();
  const err = new Response(child.stderr).text();
  return {
    interrupt: () => child.kill("SIGINT"),
    async says(text: string) {
      while (!out.includes(text)) {
        if (isOver) throw new Error(`It ended without saying "${text}":\n${out}\n${await err}`);
        await ring.promise;
      }
    },
    ended: child.exited.then(async (code) => {
      await reading;
      running.delete(child);
      return { code, out, err: await err };
    }),
  };
}

const say = (args: string[], cwd?: string) => begin(args, cwd).ended;
const played = () => ["--agent", "scripted", "--script", join(folder, "script.yaml")];
const put = async (path: string, text: string) => {
  await mkdir(join(vault, path, ".."), { recursive: true });
  await writeFile(join(vault, path), text);
};

describe("ralpher task", () => {
  test("[T-CLI-1] start shows a task to its end, and status, list and logs tell of it afterwards", async () => {
    await put("Specs/greeting/tasks.md", "# Greet\n\n- [ ] Say hello\n- [x] Look up\n- [ ] Say bye (verify: true)\n");
    const started = await say(["task", "start", "Specs/greeting/tasks.md", ...played()]);
    expect(started.err).toBe("");
    expect(started.code).toBe(0);
    expect(started.out).toContain("Iteration 2/100 · failures 0/3 · 2 of 3 steps done\n  ▶ Say bye\n");
    expect(started.out).toContain("  ✓ the check passed: true\n  ✓ ticked\n");
    expect(started.out).toContain("✓ completed");
    expect(await readFile(join(vault, "Done/greeting/tasks.md"), "utf8")).not.toContain("[ ]");

    const listed = await say(["task", "list"]);
    expect(listed.out).toMatch(/Done\n {2}\w{8} {2}✓ completed {2}3\/3 {2}\/Done\/greeting\/tasks.md/);
    // By name, by file, and by where it lies now; from anywhere by its loop.
    const [id = ""] = /(?<=Loop )\w{8}/.exec(started.out) ?? [];
    for (const [name, cwd] of [
      ["greeting", vault],
      ["/Specs/greeting/tasks.md", vault],
      ["Done/greeting/tasks.md", vault],
      [id, folder],
    ]) {
      const { out, err } = await say(["task", "status", name ?? "", "--json"], cwd);
      expect(err).toBe("");
      expect(JSON.parse(out)).toMatchObject({
        loop: { state: { status: "completed" } },
        task: { place: "done", counters: { total_successes: 2, total_failures: 0 } },
        interrupted: false,
      });
    }
    const logs = await say(["task", "logs", "greeting", "-n", "1", "--json"]);
    expect(JSON.parse(logs.out)).toMatchObject({ level: "INFO", run: expect.stringMatching(/^loop_\d{8}_\d{6}$/) });
    expect((await say(["task", "resume", "greeting"])).err).toContain("put that back as /Specs/greeting/tasks.md");
  }, 60_000);

  test("the guide's example without an agent does what the guide shows", async () => {
    const guide = await readFile(join(docs, "task.md"), "utf8");
    await put("Specs/numbers.md", await readFile(join(docs, "examples/task/numbers.md"), "utf8"));
    const played = ["--agent", "scripted", "--script", join(docs, "examples/task/script.yaml")];
    const { code, out } = await say(["task", "start", "Specs/numbers.md", ...played]);
    expect(code).toBe(0);
    // How long things take, and what this loop is called, is its own.
    const steady = out
      .split("\n")
      .filter((line) => /^ {2}[▶✓✗]|^Iteration|^→|^Task/.test(line))
      .map((line) => line.trimEnd());
    expect(steady.length).toBeGreaterThan(15);
    expect(steady.filter((line) => !guide.includes(line))).toEqual([]);
  }, 60_000);

  test("the guide names every key of the config", async () => {
    const guide = await readFile(join(docs, "task.md"), "utf8");
    expect(Object.keys(TaskConfig.shape).filter((key) => !guide.includes(`| \`${key}\` |`))).toEqual([]);
  });

  test("[T-CLI-1, T-END-4] stop ends it after its iteration, and resume goes on and takes the hook away", async () => {
    await put("Specs/slow.md", "- [ ] Wait for it\n- [ ] Go home\n");
    const started = begin(["task", "start", "Specs/slow.md", ...played()]);
    await started.says("▶ Wait for it");
    const stopped = await say(["task", "stop", "--reason", "lunch"]);
    expect(stopped.out).toContain("/Specs/slow.md: stops after iteration 1");
    const injected = await say(["task", "inject", "Be", "quick", "--json"]);
    expect(JSON.parse(injected.out)).toMatchObject({ readers: [{ file: "/Specs/slow.md", afterIteration: 5 }] });
    await put("go", "");
    const { code, out } = await started.ended;
    expect(code).toBe(10);
    expect(out).toContain("tells it to: lunch");
    expect(out).toContain("It asks you: ");
    expect((await say(["task", "status"])).out).toContain("asks you: /Needs_Action/");

    const resumed = await say(["task", "resume"]);
    expect(resumed.err).toBe("");
    expect(resumed.code).toBe(0);
    expect(resumed.out).toContain("Iteration 2/100");
    expect(await readdir(join(vault, "Control"))).not.toContain("STOP_AUTONOMOUS_LOOP");
  }, 60_000);

  test("[T-END-3] a task that failed too often asks; resume says what it takes, and choose answers", async () => {
    await put("Specs/hard.md", "- [ ] Be perfect (verify: test -e perfect)\n");
    const failed = await say(["task", "start", "/Specs/hard.md", "--failure-threshold", "2", ...played()]);
    expect(failed.code).toBe(11);
    expect(failed.out).toContain("✗ the check did not pass: test -e perfect: it ended with 1");
    const resumed = await say(["task", "resume", "hard"]);
    expect(resumed.code).toBe(5);
    expect(resumed.err).toContain("--reset-failures");
    await put("perfect", "");
    const chosen = await say(["task", "choose", "hard", "retry"]);
    expect(chosen.err).toBe("");
    expect(chosen.code).toBe(0);
    expect(chosen.out).toContain("› chosen: retry");
  }, 60_000);

  test("Ctrl+C pauses; of several tasks that could go on, resume lists each with its command", async () => {
    await rm(join(vault, "go"), { force: true });
    for (const name of ["one", "two"]) {
      await put(`Specs/${name}.md`, "- [ ] Wait for it\n");
      const started = begin(["task", "start", `Specs/${name}.md`, ...played()]);
      await started.says("▶ Wait for it");
      started.interrupt();
      const { code, out } = await started.ended;
      expect(code).toBe(130);
      expect(out).toMatch(/Go on: +ralpher task resume \w{8}\n/);
    }
    const { code, err } = await say(["task", "resume"]);
    expect(code).toBe(2);
    expect(err).toMatch(/ralpher task resume \w{8} {3}\/Specs\/one\.md, paused/);
    expect(err).toMatch(/ralpher task resume \w{8} {3}\/Specs\/two\.md, paused/);
    await put("go", "");
    for (const name of ["one", "two"]) expect((await say(["task", "resume", name])).code).toBe(0);
  }, 60_000);

  test("watch takes up what is put into the specs, and Ctrl+C ends it", async () => {
    const watching = begin(["task", "watch", ".", ...played()]);
    await watching.says("Watching");
    await put("Specs/dropped.md", "- [ ] Be found\n");
    await watching.says("✓ completed");
    const second = await say(["task", "watch", vault, ...played()]);
    expect(second.code).toBe(5);
    expect(second.err).toContain("watches the vault");
    await rm(join(vault, "go"), { force: true });
    await put("Specs/held.md", "- [ ] Wait for it\n");
    await watching.says("▶ Wait for it");
    watching.interrupt();
    const { code, out } = await watching.ended;
    expect(code).toBe(0);
    const again = ["ralpher task watch", vault, ...played()].join(" ");
    expect(out).toMatch(new RegExp(`With all: +${again}\nWith one: +ralpher task resume \\w{8}\n$`));
    await put("go", "");
    expect((await say(["task", "resume", "held"])).code).toBe(0);
    expect(out).toMatch(/dropped +\+ \/Specs\/dropped.md is taken up as loop \w{8}/);
    expect(out).toMatch(/dropped +▶ Be found 1\/100/);
    expect(out).toMatch(/dropped +→ \/Done\/dropped.md/);
  }, 60_000);

  test("[T-END-6] a task that was moved by hand while nobody ran it is listed there, and resume ends it so", async () => {
    await put("Specs/off.md", "- [ ] Be perfect (verify: test -e never)\n");
    expect((await say(["task", "start", "Specs/off.md", "--failure-threshold", "1", ...played()])).code).toBe(11);
    await rename(join(vault, "Specs/off.md"), join(vault, "Rejected/off.md"));
    expect((await say(["task", "list"])).out).toMatch(/Rejected\n {2}\w{8} {2}✗ failed {2}0\/1 {2}\/Rejected\/off.md/);
    const resumed = await say(["task", "resume", "off"]);
    expect(resumed.err).toBe("");
    expect(resumed.code).toBe(10);
    expect(resumed.out).toContain("– called off");
    expect((await say(["task", "list"])).out).toMatch(/Rejected\n {2}\w{8} {2}– called off/);
    const status = await say(["task", "status", "off"]);
    expect(status.out).toMatch(/State +\.state\/history\/loop_\w+\.json\n/);
    const [state = ""] = /\.state\/history\/\S+/.exec(status.out) ?? [];
    expect(JSON.parse(await readFile(join(vault, state), "utf8"))).toMatchObject({ status: "rejected" });
    expect((await say(["task", "resume", "off"])).code).toBe(5);
  }, 60_000);

  test("every mistake in the config is a line, in plain words", async () => {
    const config = join(vault, "Control/autonomous_loop_config.yaml");
    const text = await readFile(config, "utf8");
    await writeFile(config, "autonomous_loop:\n  max_iterations: abc\n  log_level: LOUD\n");
    await put("Specs/any.md", "- [ ] Be there\n");
    const { code, err } = await say(["task", "start", "Specs/any.md", ...played()]);
    await writeFile(config, text);
    await rm(join(vault, "Specs/any.md"));
    expect(code).toBe(2);
    expect(err.split("\n").slice(1, 3)).toEqual([
      '  max_iterations: it has to be a whole number; it is "abc" (line 2, column 19)',
      '  log_level: it has to be one of DEBUG, INFO, WARNING, ERROR; it is "LOUD" (line 3, column 14)',
    ]);
  }, 60_000);

  test("a watch does not begin without its agent", async () => {
    const { code, err } = await begin(["task", "watch", ".", "--agent", "opencode"], vault, { PATH: folder }).ended;
    expect(err).toContain("opencode was not found");
    expect(code).toBe(3);
  }, 60_000);

  test("what is not there is said, with what to do", async () => {
    const cases: [string[], string, number][] = [
      [["task", "start", "Specs/none.md", "--script", "x.yaml"], "--script: it goes with --agent scripted", 2],
      [["task", "watch", ".", "--script", "x.yaml"], "--script: it goes with --agent scripted", 2],
      [["task", "resume", "--agent", "claude"], "a loop keeps its agent", 2],
      [
        ["task", "choose", "hard", "banana"],
        'The choice cannot be used: "banana" is none of retry, more_iterations',
        2,
      ],
      [["task", "start", "Specs/none.md"], "there is no such file in the vault", 2],
      [["task", "status", "nobody"], '"ralpher task start FILE" begins one', 4],
      [["task", "inject"], "give either words, or --file", 2],
      [["task", "list", "--vault", folder], "ralpher task init DIR", 2],
      [["task", "start", "Control/example_task.md", "--detach"], "ralpher serve", 2],
    ];
    for (const [args, words, code] of cases) {
      const ended = await say(args);
      expect(ended.err).toContain(words);
      expect(ended.code).toBe(code);
    }
  }, 60_000);
});
