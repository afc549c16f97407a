import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Script, type TaskState } from "@ralpher/contract";
import { eventsOf, eventually, git, openStage } from "./src/stage.ts";
import { step } from "./src/task-script.ts";

setDefaultTimeout(240_000);

const agent = "opencode";
const config = "autonomous_loop:\n  iteration_interval_seconds: 0\n  max_backoff_seconds: 1\n";

/** A vault with a task, as `ralpher task init` lays it out, and the real opencode. */
async function openVaultStage(task: string, conversations: ReturnType<typeof step>, more = "") {
  const stage = await openStage({ conversations });
  const vault = join(stage.folder, "vault");
  await mkdir(vault);
  await git(vault, "init", "-q", "-b", "main");
  await git(vault, "config", "user.name", "Somebody");
  await git(vault, "config", "user.email", "somebody@localhost");
  const laid = await stage.run(["task", "init", vault]);
  expect(laid).toMatchObject({ code: 0 });
  const at = (path: string) => join(vault, path);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  await write("Control/autonomous_loop_config.yaml", config + more);
  await write("Specs/parser/tasks.md", task);
  const names = (path: string) => readdir(at(path)).then((found) => found.toSorted());
  return {
    stage,
    vault,
    write,
    names,
    read: (path: string) => readFile(at(path), "utf8"),
    move: (from: string, to: string) => rename(at(from), at(to)),
    play: (next: ReturnType<typeof step>) => stage.model?.play(Script.parse({ conversations: next })),
    /** `ralpher task …` in the vault. */
    task: (...args: string[]) => stage.start(["task", ...args], {}, vault),
    archived: async (): Promise<TaskState> => {
      const [name = ""] = await names(".state/history");
      return JSON.parse(await readFile(at(`.state/history/${name}`), "utf8"));
    },
    state: async (): Promise<TaskState> => JSON.parse(await readFile(at(".state/autonomous_loop_state.json"), "utf8")),
    prompts: () => stage.model?.requests.flatMap(({ prompt }) => prompt ?? []) ?? [],
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

const six = `---
title: A parser
---

# A parser

## 1. Ground

- [ ] 1.1 Make the folder
- [ ] 1.2 Write the grammar
  - [ ] 1.2.1 Numbers
  - [ ] 1.2.2 Words (verify: grep -q word src/grammar.txt)

## 2. Work

* [ ] 2.1 Write the parser
* [ ] 2.2 Tell how to use it
* [ ] 2.3 Say goodbye
`;

describe("ralpher task", () => {
  test("[T-CLI-1, T-END-1, T-ITER-2] a task of six steps goes to Done with the real opencode, with a failing check that is mended", async () => {
    await using vault = await openVaultStage(six, [
      ...step(agent, "1.1 Make the folder", { command: "mkdir -p src" }),
      ...step(agent, "1.2.1 Numbers", { command: "echo number > src/grammar.txt" }),
      // The first time it says that it is done, and it is not.
      ...step(agent, "1.2.2 Words", { iteration: 3, command: "true" }),
      ...step(agent, "1.2.2 Words", { iteration: 4, command: "echo word >> src/grammar.txt" }),
      ...step(agent, "2.1 Write the parser", { command: "echo parse > src/parser.txt" }),
      ...step(agent, "2.2 Tell how to use it"),
      ...step(agent, "2.3 Say goodbye"),
    ]);
    const { code, out } = await vault.task("start", "Specs/parser/tasks.md", "--agent", agent).ended;
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(await vault.read("Done/parser/tasks.md")).toBe(six.replaceAll("[ ]", "[x]"));
    expect(await vault.read("src/grammar.txt")).toBe("number\nword\n");
    expect(await vault.archived()).toMatchObject({
      status: "completed",
      counters: { iterations: 7, total_successes: 6, total_failures: 1, consecutive_failures: 0 },
    });
    const mended = vault.prompts().find((prompt) => prompt.includes("This is iteration 4;")) ?? "";
    expect(mended).toContain("The check `grep -q word src/grammar.txt` did not pass");
    const subjects = (await git(vault.vault, "log", "--format=%s")).split("\n");
    expect(subjects.slice(0, 2)).toEqual(["[Task] parser: completed", "[Task] parser: 2.3 Say goodbye"]);
    expect((await vault.names("Logs")).some((name) => name.endsWith("_parser_report.md"))).toBe(true);
  });

  test("[T-END-4, T-CLI-1, T-INJ-1] a stop hook and resume, and a prompt that is put down meanwhile is read by the model", async () => {
    await using vault = await openVaultStage(
      "- [ ] One\n- [ ] Two\n- [ ] Three\n",
      [...step(agent, "One", { command: "sleep 2" }), ...step(agent, "Two"), ...step(agent, "Three")],
      "  check_reinject_every_n_iterations: 1\n",
    );
    const run = vault.task("start", "Specs/parser/tasks.md", "--agent", agent);
    await run.says("One");
    expect(await vault.task("stop", "--reason", "lunch").ended).toMatchObject({ code: 0 });
    const stopped = await run.ended;
    expect(stopped.code).not.toBe(0);
    expect(await vault.state()).toMatchObject({ status: "stopped", counters: { iterations: 1 } });
    const [report = ""] = await vault.names("Needs_Action");
    expect(await vault.read(`Needs_Action/${report}`)).toContain("lunch");
    expect(await vault.task("inject", "Use OAuth2 in place of JWT.").ended).toMatchObject({ code: 0 });
    const { code, out } = await vault.task("resume").ended;
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(await vault.names("Control")).not.toContain("STOP_AUTONOMOUS_LOOP");
    const told = vault.prompts().filter((prompt) => prompt.includes("Use OAuth2 in place of JWT."));
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toContain("# Your step\n\nTwo");
    expect((await vault.archived()).last_prompt_injection).toMatchObject({ iteration: 1 });
    const status = await vault.task("status", "--json").ended;
    expect(status.code).toBe(0);
  });

  test("[T-END-3] three failures make an error report, a human ticks retry, and it gets done", async () => {
    await using vault = await openVaultStage("- [ ] Log in\n", [
      ...step(agent, "Log in", { result: "failure", action: "run_tests", error: "no key for the service" }),
    ]);
    const watching = vault.task("watch", ".", "--agent", agent);
    await watching.says("no key for the service");
    await eventually(async () => (await vault.names("Needs_Action")).length === 1);
    const [name = ""] = await vault.names("Needs_Action");
    const path = `Needs_Action/${name}`;
    await eventually(async () => (await vault.state()).status === "failed");
    expect((await vault.state()).counters).toMatchObject({ iterations: 3, consecutive_failures: 3 });
    vault.play([...step(agent, "Log in", { summary: "the key was there now" })]);
    const asked = await vault.read(path);
    expect(asked).toContain("no key for the service");
    await vault.write(path, asked.replace(/- \[ \](.*ralpher:retry)/, "- [x]$1"));
    await eventually(async () => (await vault.names("Done")).length === 1);
    await eventually(async () => (await vault.read(path)).includes("status: closed"));
    await eventually(async () => (await vault.names(".state/history")).length === 1);
    watching.signal("SIGINT");
    await watching.ended;
    expect((await vault.archived()).counters).toMatchObject({ iterations: 4, total_failures: 3, total_successes: 1 });
  });

  test("[T-END-6] a task that a human moves to Rejected while it runs is called off", async () => {
    await using vault = await openVaultStage("- [ ] One\n- [ ] Two\n", [
      ...step(agent, "One", { command: "sleep 2" }),
      ...step(agent, "Two"),
    ]);
    const run = vault.task("start", "Specs/parser/tasks.md", "--agent", agent);
    await run.says("One");
    await vault.move("Specs/parser", "Rejected/parser");
    await run.ended;
    expect(await vault.archived()).toMatchObject({ status: "rejected", counters: { iterations: 1 } });
    expect(vault.prompts().some((prompt) => prompt.includes("# Your step\n\nTwo"))).toBe(false);
    expect(await vault.names("Needs_Action")).toEqual([]);
  });

  test("[T-STATE-5] after kill -9 in the middle of a step it goes on with the same counters, and does no step twice that was done", async () => {
    const add = (text: string) => `echo ${text} >> done.txt`;
    await using vault = await openVaultStage("- [ ] One\n- [ ] Two\n- [ ] Three\n", [
      ...step(agent, "One", { command: add("one") }),
      ...step(agent, "Two", { command: `touch begun && sleep 60 && ${add("never")}` }),
      ...step(agent, "Three", { command: add("three") }),
    ]);
    const run = vault.task("start", "Specs/parser/tasks.md", "--agent", agent);
    await eventually(async () => (await vault.names(".")).includes("begun"));
    run.signal("SIGKILL");
    await run.ended;
    expect((await vault.state()).counters).toMatchObject({ iterations: 1, total_successes: 1 });
    vault.play([...step(agent, "Two", { command: add("two") }), ...step(agent, "Three", { command: add("three") })]);
    const { code, out } = await vault.task("resume").ended;
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(await vault.read("done.txt")).toBe("one\ntwo\nthree\n");
    expect(await vault.archived()).toMatchObject({
      status: "completed",
      counters: { iterations: 3, total_successes: 3, total_failures: 0 },
    });
    expect((await vault.archived()).history.map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
  });

  test("two tasks that are dropped into a watched vault are worked on at once, and a third waits", async () => {
    const meets = (other: string) =>
      `touch ${other}.here; for i in $(seq 200); do [ -e a.here ] && [ -e b.here ] && exit 0; sleep 0.1; done; exit 1`;
    await using vault = await openVaultStage("- [ ] First\n", [
      ...step(agent, "Alpha", { command: meets("a") }),
      ...step(agent, "Beta", { command: meets("b") }),
      ...step(agent, "Gamma"),
      ...step(agent, "First"),
    ]);
    const watching = vault.task("watch", ".", "--agent", agent, "--json");
    await eventually(async () => (await vault.names("Done")).includes("parser"));
    await vault.write("Specs/alpha.md", "- [ ] Alpha\n");
    await vault.write("Specs/beta.md", "- [ ] Beta\n");
    await vault.write("Specs/gamma.md", "- [ ] Gamma\n");
    await eventually(async () => (await vault.names(".state/history")).length === 4);
    await eventually(() => watching.out().split('"loop.completed"').length === 5);
    watching.signal("SIGINT");
    const { code, out } = await watching.ended;
    expect(code).not.toBe(1);
    expect(eventsOf(out).filter(({ type }) => type === "loop.completed")).toHaveLength(4);
  });
});
