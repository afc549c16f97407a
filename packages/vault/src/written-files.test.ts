import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFault } from "@ralpher/contract";
import { faultOf, openStage, type Stage, seedState, stageNow } from "./stage.fixture.ts";
import { usable } from "./usable.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

test("a vault is laid out once, and what is there stays", async () => {
  const root = join(stage.folder, "new", "vault");
  expect((await stage.vaults.init(root)).created).toEqual([
    "/Control",
    "/Control/autonomous_loop_config.yaml",
    "/Specs",
    "/Done",
    "/Rejected",
    "/Needs_Action",
    "/Logs",
    "/.state/history",
    "/Control/example_task.md",
  ]);
  await writeFile(join(root, "Control/example_task.md"), "mine");
  await rm(join(root, "Logs"), { recursive: true });
  expect((await stage.vaults.init(root)).created).toEqual(["/Logs"]);
  expect(await readFile(join(root, "Control/example_task.md"), "utf8")).toBe("mine");
  const vault = await stage.vaults.open(root);
  expect((await vault.list(await vault.readConfig())).open).toEqual([]);
});

test("the example is a task that can be read when it is copied", async () => {
  await stage.write("/Specs/example.md", await stage.read("/Control/example_task.md"));
  const { steps, title } = await stage.vault.readTask("/Specs/example.md");
  expect(title).toBe("Greet in two languages");
  expect(steps.map(({ key, path, verify, isParent }) => [key, path.length, verify, isParent])).toEqual([
    ['1.1 Write "Hello" to greeting.txt', 1, "test -f greeting.txt", false],
    ["1.2 Add a second line in another language", 1, "test -f greeting.txt", true],
    ["Choose the language", 2, "test -f greeting.txt", false],
    ["Write the line", 2, "grep -c . greeting.txt", false],
    ["2.1 Read the file again and correct what is misspelled", 1, null, false],
  ]);
});

test("a vault in git does not show its state and logs, unless somebody decided about them", async () => {
  const { root } = stage.vault;
  expect(await stage.vault.isRepository()).toBe(false);
  await stage.vaults.init(root);
  expect(await readdir(root)).not.toContain(".gitignore");
  execFileSync("git", ["init", "-q", stage.folder]);
  expect(await stage.vault.isRepository()).toBe(true);
  await stage.write("/.gitignore", "*.bak");
  expect((await stage.vaults.init(root)).created).toEqual(["/.gitignore"]);
  expect(await stage.read("/.gitignore")).toBe("*.bak\n/.state/\n/Logs/\n");
  expect((await stage.vaults.init(root)).created).toEqual([]);
  await stage.write("/.gitignore", "!Logs/*.md\n");
  expect((await stage.vaults.init(root)).created).toEqual([]);
});

test("a vault is found from any folder in it, and says its version", async () => {
  const { root, version } = stage.vault;
  expect(version).toBe("1.4.2");
  expect(await stage.vaults.find(root)).toBe(root);
  expect(await stage.vaults.find(join(root, "Specs/not-there-yet/deep"))).toBe(root);
  await faultOf("vault_unusable", stage.vaults.find(stage.folder));
});

test("any text in the vault can be read, and nothing outside of it", async () => {
  await stage.write("/Logs/x.log", "a\r\n");
  expect(await stage.vault.readText("/Logs/x.log")).toBe("a\r\n");
  expect(await stage.vault.readText("Logs/none.log")).toBeNull();
  await stage.write("/Logs/x.log", Uint8Array.of(0xff));
  expect(await stage.vault.readText("/Logs/x.log")).toBeNull();
  expect(await stage.vault.readText("/Logs")).toBeNull();
  await faultOf("vault_unusable", stage.vault.readText("/../x"));
});

test("a folder that is no vault is told so, and a broken config is not passed over", async () => {
  const why = async (path: string) => (await faultOf("vault_unusable", stage.vaults.open(path))).detail;
  expect(await why(join(stage.folder, "none"))).toBe("there is no such folder");
  expect(await why(stage.folder)).toBe("it has no folder Control");
  await writeFile(join(stage.folder, "file"), "");
  expect(await why(join(stage.folder, "file"))).toBe("it is no folder");
  await faultOf("vault_unusable", stage.vaults.init(join(stage.folder, "file")));
  await stage.write("/Control/autonomous_loop_config.yaml", "x: 1\n");
  await faultOf("config_invalid", stage.vaults.init(stage.vault.root));
  await symlink(stage.vault.root, join(stage.folder, "link"));
  expect((await stage.vaults.open(join(stage.folder, "link"))).root).toBe(stage.vault.root);
});

test("[T-LOG-1] the log has a line for each message that the level lets through", async () => {
  const log = (level: "DEBUG" | "INFO" | "ERROR", message: string) =>
    stage.vault.log(stage.config, level, message, stageNow);
  await log("DEBUG", "not this");
  await log("INFO", "loop_20260215_103000 iteration 1: success\n in 2.3 s\r\n");
  await log("ERROR", "[x]");
  expect(await stage.read("/Logs/autonomous_loop.log")).toBe(
    "2026-02-15T10:30:05Z INFO loop_20260215_103000 iteration 1: success ⏎ in 2.3 s\n2026-02-15T10:30:05Z ERROR [x]\n",
  );
});

test("a log that cannot be written is no error, and none is written outside of the vault", async () => {
  await mkdir(join(stage.vault.root, "Logs/autonomous_loop.log"));
  await stage.vault.log(stage.config, "ERROR", "x", stageNow);
  const outside = { ...stage.config, log_file: "../log" };
  await stage.vault.log(outside, "ERROR", "x", stageNow);
  expect(await stat(join(stage.folder, "log")).catch(() => null)).toBeNull();
});

test("a completion report says how it went, and is written once", async () => {
  const report = {
    loopId: "loop_20260215_103000",
    taskPath: "/Specs/auth_feature/tasks.md",
    title: "Log in",
    outcome: "All six steps are done.",
    state: seedState({ status: "completed" }),
    now: stageNow,
  };
  const path = await stage.vault.writeReport(stage.config, report);
  expect(path).toBe("/Logs/2026-02-15_auth_feature_report.md");
  const text = await stage.read(path);
  expect(text).toStartWith("---\ntype: completion_report\nloop_id: loop_20260215_103000\niterations: 5\n");
  expect(text).toContain("\nstatus: completed\n---\n\n# Log in\n\nAll six steps are done.\n\n");
  expect(text).toContain("| Iterations | 5 of 100 |");
  expect(text).toContain("3  2026-02-15T10:30:20Z  failure  8.2 s  run_tests  (Test failed: authentication_test.ts)");
  const later = { ...report, outcome: "Told otherwise.", now: new Date("2026-02-16T00:00:00Z") };
  expect(await stage.vault.writeReport(stage.config, later)).toBe(path);
  expect(await stage.read(path)).toBe(text);
  const { counters } = report.state;
  const more = { ...report, state: { ...report.state, counters: { ...counters, iterations: 6 } } };
  expect(await stage.vault.writeReport(stage.config, more)).toBe("/Logs/2026-02-15_auth_feature_report-2.md");
  const other = { ...report, loopId: "loop_20260215_103001" };
  expect(await stage.vault.writeReport(stage.config, other)).toBe("/Logs/2026-02-15_auth_feature_report-3.md");
});

test("neither log nor report has control characters, or what turns the direction of writing", async () => {
  const odd = "a\u001b[2Jb\u0007\u202ec\u0085d\u2067e";
  await stage.vault.log(stage.config, "ERROR", odd, stageNow);
  expect(await stage.read("/Logs/autonomous_loop.log")).toBe("2026-02-15T10:30:05Z ERROR abcde\n");
  const [entry] = seedState().history;
  if (entry === undefined) throw new Error("no history");
  const state = seedState({ history: [{ ...entry, action: odd, error: odd }] });
  const about = { loopId: state.loop_id, taskPath: state.task_path, title: odd, outcome: odd, state, now: stageNow };
  const text = await stage.read(await stage.vault.writeReport(stage.config, about));
  expect(text).toContain("# abcde\n\nabcde\n");
  expect(text).toContain("8.2 s  abcde  (abcde)\n");
});

test("what the file system says is told in words, of the vault and of a file in it", async () => {
  const messageOf = async (work: Promise<unknown>) => {
    const error = await work.catch((reason: unknown) => reason);
    return isFault(error) ? error.message : "";
  };
  const { root } = stage.vault;
  await rm(join(root, "Needs_Action"), { recursive: true });
  await stage.write("/Needs_Action", "");
  const ask = { ...stage.config, stop_hook_file: "/Needs_Action/STOP" };
  expect(await messageOf(stage.vault.writeStopHook(ask, "x"))).toBe(
    "/Needs_Action/STOP in the vault cannot be used: a folder in its path is a file.",
  );
  // Not for ever another name.
  const note = {
    kind: "escalation",
    iteration: 1,
    loopId: "l",
    taskPath: "/Specs/a.md",
    title: "t",
    happened: "x",
  } as const;
  const handOff = { ...note, step: null, errors: [], tried: [], choices: [], commands: [], now: stageNow };
  expect(await messageOf(stage.vault.writeHandOff(stage.config, handOff))).toBe(
    "/Needs_Action in the vault cannot be used: a folder in its path is a file.",
  );
  expect(await messageOf(stage.vaults.open(join(root, "Specs")))).toContain("as a vault: it has no folder Control.");
  const odd = (code: string) => Promise.reject(Object.assign(new Error("x"), { code }));
  expect(await messageOf(usable("/a", odd("ERR_FS_EISDIR")))).toBe("/a in the vault cannot be used: it is a folder.");
  expect(await messageOf(usable("/a", odd("EODD")))).toBe("/a in the vault cannot be used: the system says EODD.");
});

const writesAll = `
const { createVaults } = await import(${JSON.stringify(join(import.meta.dir, "vaults.ts"))});
const { runProgram } = await import(${JSON.stringify(join(import.meta.dir, "../../agent/src/index.ts"))});
const { seedState, stageNow } = await import(${JSON.stringify(join(import.meta.dir, "stage.fixture.ts"))});
const vaults = createVaults({ runProgram, version: "1.4.2" });
await vaults.init(process.argv[2]);
const vault = await vaults.open(process.argv[2]);
const config = { ...await vault.readConfig(), notify_command: "env" };
const about = { loopId: "loop_1", taskPath: "/Specs/a.md", title: "A", now: stageNow };
const note = { event: "stop", title: "A", message: "B", path: "/Specs/a.md" };
await vault.writeStopHook(config, "why");
await vault.writeReinjection(config, "this");
await vault.writeState(config.state_file, seedState());
await vault.writeState(config.state_file, seedState());
await vault.archiveState(config, config.state_file, seedState(), stageNow);
await vault.writeState(config.state_file, seedState());
await vault.writeHandOff(config, { ...about, kind: "escalation", iteration: 1, happened: "x", step: null, errors: [], tried: [], choices: ["retry"], commands: [] });
await vault.writeReport(config, { ...about, outcome: "x", state: seedState() });
for (const problem of await vault.notify(config, note)) await vault.log(config, "ERROR", problem.message, stageNow);
for (const problem of await vault.notify({ ...config, notify_command: "sh -c 'env; exit 3'" }, note)) await vault.log(config, "ERROR", problem.message, stageNow);
`;

test("nothing of the environment comes into a vault's files", async () => {
  await writeFile(join(stage.folder, "all.ts"), writesAll);
  const root = join(stage.folder, "secret-vault");
  execFileSync(process.execPath, [join(stage.folder, "all.ts"), root], {
    env: { ...process.env, RALPHER_TOKEN: "hush-token", SOME_API_KEY: "hush-key" },
  });
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(8);
  for (const { parentPath, name } of files) {
    expect(await readFile(join(parentPath, name), "utf8")).not.toContain("hush");
  }
  expect(await readFile(join(root, "Logs/autonomous_loop.log"), "utf8")).toContain("sh ended with 3");
});

test("a vault is not laid out within another, and what lay in Logs before is not kept out of git", async () => {
  const root = join(stage.vault.root, "..", "with notes");
  await mkdir(join(root, ".git"), { recursive: true });
  await mkdir(join(root, "Logs"));
  await stage.vaults.init(root);
  expect(await readFile(join(root, ".gitignore"), "utf8")).toBe("/.state/\n/Logs/autonomous_loop.log\n");
  expect(stage.vaults.init(join(root, "Specs", "inner"))).rejects.toMatchObject({ code: "vault_unusable" });
  expect((await stage.vaults.init(root)).created).toEqual([]);
});
