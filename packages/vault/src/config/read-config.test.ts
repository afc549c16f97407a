import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { TaskConfig } from "@ralpher/contract";
import fc from "fast-check";
import { parse } from "yaml";
import { faultOf, openStage, type Stage } from "../stage.fixture.ts";
import { configFile, configGroups, writeConfigText } from "./config-keys.ts";
import { parseConfig } from "./read-config.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const issuesOf = async (text: string) => {
  await stage.write(configFile, text);
  const { issues } = await faultOf("config_invalid", stage.vault.readConfig());
  return (issues as { line?: number; column?: number; path: string; message: string }[]).map(
    ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
  );
};

test("the written config has every key with its default, the seed's first and in its order", () => {
  const text = writeConfigText();
  expect(parseConfig(text).value).toEqual(TaskConfig.parse({}));
  const keys = configGroups.flatMap((group) => group.keys);
  expect(keys.map(({ name }) => name).toSorted()).toEqual(Object.keys(TaskConfig.shape).toSorted());
  expect(Object.keys(parse(text).autonomous_loop).slice(0, 20)).toEqual(Object.keys(TaskConfig.shape).slice(0, 20));
  const required = keys.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  expect(Object.keys(parse(text).autonomous_loop)).toEqual(required);
  // With their signs taken away the optional ones hold, too.
  const all = parseConfig(text.replace(/^( {2})# (\w+:)/gm, "$1$2")).value;
  expect(keys.every(({ name }) => all[name as keyof TaskConfig] !== undefined)).toBe(true);
});

test("no config, an empty one, and one of comments alone are the defaults; a key without a value has its own", async () => {
  for (const text of ["", "# nothing\n", "autonomous_loop:\n", "---\n", "autonomous_loop:\n  max_iterations:\n"]) {
    expect(parseConfig(text).value).toEqual(TaskConfig.parse({}));
  }
  const { max_iterations, notify_webhook } = await stage.configure("max_iterations: 7\nnotify_webhook:");
  expect([max_iterations, notify_webhook]).toEqual([7, undefined]);
});

test("every wrong type and unknown key is named with its line and column, and what may be meant", async () => {
  const text = [
    "# Ours",
    "autonomous_loop:",
    "  max_iteration: 5",
    '  failure_threshold: "3"',
    "  backoff_on_failure: yes",
    "  log_level: LOUD",
    "  iteration_interval_seconds:   -1",
    "  qqqqqq: 1",
    "  notify_webhook: ftp://example.com",
    "max_backoff_seconds: 3",
    "autonomus_loop: {}",
  ].join("\r\n");
  const issues = await issuesOf(text);
  expect(issues.map((issue) => issue.split(": ").slice(0, 1)[0])).toEqual([
    "3:3 max_iteration",
    "4:22 failure_threshold",
    "5:23 backoff_on_failure",
    "6:14 log_level",
    "7:33 iteration_interval_seconds",
    "8:3 qqqqqq",
    "9:19 notify_webhook",
    "10:1 max_backoff_seconds",
    "11:1 autonomus_loop",
  ]);
  expect(issues[0]).toEndWith("did you mean max_iterations?");
  expect(issues[1]).toEndWith('it has to be a whole number; it is "3"');
  expect(issues[3]).toEndWith('it has to be one of DEBUG, INFO, WARNING, ERROR; it is "LOUD"');
  expect(issues[4]).toEndWith("it has to be 0 or more; it is -1");
  expect(issues[6]).toContain("it has to be an address that begins with http:// or https://");
  expect(issues[2]).toEndWith("write true or false instead of yes");
  expect(issues[5]).toEndWith("there is no such key");
  expect(issues[7]).toEndWith('it belongs below "autonomous_loop:", indented');
  expect(issues[8]).toEndWith("did you mean autonomous_loop?");
});

test("duplicate keys, tabs, and what is no map are named with their line", async () => {
  expect(await issuesOf("autonomous_loop:\n  max_iterations: 1\n  max_iterations: 2\n")).toEqual([
    "3:3 : Map keys must be unique",
  ]);
  expect((await issuesOf("autonomous_loop:\n\tmax_iterations: 1\n"))[0]).toStartWith("2:1 : a tab; ");
  expect(await issuesOf("autonomous_loop:\n  - a\n")).toEqual([
    "2:3 autonomous_loop: it must have keys with values below it",
  ]);
  expect((await issuesOf("just words\n"))[0]).toStartWith('1:1 : there must be "autonomous_loop:" here');
  expect((await issuesOf("autonomous_loop: [\n"))[0]).toMatch(/^\d+:\d+ : /);
  expect(await issuesOf("autonomous_loop: *none\n")).toHaveLength(1);
  expect(await issuesOf("\0")).toEqual(["undefined:undefined : it is binary"]);
});

test("a path that leads out of the vault is refused with its line, a symlink, too", async () => {
  const { root } = stage.vault;
  await mkdir(join(root, "inside"));
  await symlink("..", join(root, "out"));
  await symlink("inside", join(root, "in"));
  await symlink(join(stage.folder, "not-there"), join(root, "nowhere"));
  const issues = await issuesOf(
    [
      "autonomous_loop:",
      "  state_file: ../state.json",
      "  log_file: /out/log",
      "  done_folder: in/Done",
      "  specs_folder: ~/Specs",
      `  rejected_folder: ${root}/Rejected`,
      "  logs_folder: C:\\Logs",
      "  stop_hook_file: nowhere/x/STOP",
      "  needs_action_folder: a/../b",
    ].join("\n"),
  );
  expect(issues.map((issue) => issue.split(": ")[0]).toSorted()).toEqual([
    "2:15 state_file",
    "3:13 log_file",
    "5:17 specs_folder",
    "6:20 rejected_folder",
    "7:16 logs_folder",
    "8:19 stop_hook_file",
    "9:24 needs_action_folder",
  ]);
  expect(issues.find((issue) => issue.includes("rejected"))).toEndWith("paths begin at the vault's root: /Rejected");
});

test("two folders that are the same, or the whole vault, are refused", async () => {
  expect(await issuesOf("autonomous_loop:\n  done_folder: Specs/\n  rejected_folder: /\n")).toEqual([
    "2:16 done_folder: specs_folder is the same folder",
    "3:20 rejected_folder: it must be a folder below the vault's root",
  ]);
});

test("files that are the same, the config's, or among tasks and hand-offs are refused where they are said", async () => {
  const lines = (...keys: string[]) => ["autonomous_loop:", ...keys.map((key) => `  ${key}`)].join("\n");
  expect(
    await issuesOf(
      lines(
        "reinject_prompt_file: Control/./STOP_AUTONOMOUS_LOOP.md",
        "state_file: /Said/same",
        "log_file: Said//same",
      ),
    ),
  ).toEqual([
    "2:25 reinject_prompt_file: stop_hook_file is the same file",
    "4:13 log_file: state_file is the same file",
  ]);
  expect(
    await issuesOf(
      lines(
        "state_file: Specs/state.json",
        "stop_hook_file: Done",
        "reinject_prompt_file: /Rejected/a/b.md",
        "log_file: /Needs_Action/log",
      ),
    ),
  ).toEqual([
    "2:15 state_file: it lies in specs_folder",
    "3:19 stop_hook_file: it lies in done_folder",
    "4:25 reinject_prompt_file: it lies in rejected_folder",
    "5:13 log_file: it lies in needs_action_folder",
  ]);
  expect(await issuesOf(lines("specs_folder: .state", "log_file: /Control/autonomous_loop_config.yaml"))).toEqual([
    "2:17 specs_folder: state_file (.state/autonomous_loop_state.json) lies in it",
    "3:13 log_file: it is the file this stands in",
  ]);
  expect((await stage.configure("log_file: /Logs/a.md\nstate_file: /Specs-state.json")).log_file).toBe("/Logs/a.md");
});

test("whatever stands there, it is a config or a fault", () => {
  const line = fc.constantFrom(
    "autonomous_loop:",
    "  max_iterations: 3",
    "  max_iterations: x",
    "\tlog_level: INFO",
    "  ? [a]",
    "  : b",
    "- a",
    "  <<: *a",
    "  __proto__: 1",
    "  &a b: *a",
    "{",
    "  notify_desktop: true",
    "...",
    "---",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(line).map((lines) => lines.join("\n")),
        fc.string(),
      ),
      (text) => {
        try {
          TaskConfig.parse(parseConfig(text).value);
        } catch (error) {
          expect(error).toMatchObject({ code: "config_invalid" });
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
