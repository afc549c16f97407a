import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStage, type Stage } from "../stage.fixture.ts";
import { stampOf } from "./stamp.ts";
import { type WatchOptions, watchFolders } from "./watch-vault.ts";
import { watchedFolders } from "./watched-folders.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

/** Watches, and tells when something was told since it was last asked. */
function ears(options: WatchOptions = {}) {
  let told = 0;
  let heard = Promise.withResolvers<void>();
  const watched = watchFolders(
    watchedFolders(stage.vault.root, stage.config),
    () => {
      told++;
      heard.resolve();
    },
    options,
  );
  return {
    count: () => told,
    /** Resolves when what `work` does is told. */
    async hears(work: () => void) {
      await settled();
      heard = Promise.withResolvers();
      work();
      await heard.promise;
    },
    [Symbol.dispose]: () => watched[Symbol.dispose](),
  };

  /** Until what came before has been told. */
  async function settled() {
    for (let before = -1; before !== told; ) {
      before = told;
      await Bun.sleep(options.isPolling ? 1_300 : 250);
    }
  }
}

const at = (path: string) => join(stage.vault.root, path);

const happenings: [string, () => void][] = [
  ["a task dropped into the specs folder", () => writeFileSync(at("Specs/new.md"), "- [ ] a\n")],
  [
    "a folder with a task",
    () => {
      mkdirSync(at("Specs/auth"));
      writeFileSync(at("Specs/auth/tasks.md"), "- [ ] a\n");
    },
  ],
  ["a task changed in a folder that came later", () => appendFileSync(at("Specs/auth/tasks.md"), "- [ ] b\n")],
  ["a folder moved to done", () => renameSync(at("Specs/auth"), at("Done/auth"))],
  ["a stop hook", () => writeFileSync(at("Control/STOP_AUTONOMOUS_LOOP"), "")],
  [
    "the config saved by renaming",
    () => {
      writeFileSync(at("Control/new"), "autonomous_loop:\n");
      renameSync(at("Control/new"), at("Control/autonomous_loop_config.yaml"));
    },
  ],
  ["a hand-off", () => writeFileSync(at("Needs_Action/ask.md"), "- [ ] retry\n")],
  ["a box ticked in it", () => writeFileSync(at("Needs_Action/ask.md"), "- [x] retry\n")],
  ["a task moved to rejected", () => renameSync(at("Specs/new.md"), at("Rejected/new.md"))],
  ["the specs folder gone", () => rmSync(at("Specs"), { recursive: true })],
  ["and made again", () => mkdirSync(at("Specs"))],
  ["with a task in it", () => writeFileSync(at("Specs/again.md"), "")],
];

test("everything that steers is told", async () => {
  using watch = ears();
  for (const [_name, happen] of happenings) await watch.hears(happen);
}, 60_000);

test("everything that steers is told, too, where the system tells nothing", async () => {
  using watch = ears({ isPolling: true });
  for (const [_name, happen] of happenings) await watch.hears(happen);
}, 120_000);

test("what does not steer is not told, what comes together is told together, and nothing is told afterwards", async () => {
  const watch = ears();
  writeFileSync(at("Logs/autonomous_loop.log"), "x");
  mkdirSync(at("Notes"));
  writeFileSync(at("Notes/a.md"), "x");
  await stage.vault.log(stage.config, "ERROR", "x", new Date());
  await watch.hears(() => {
    for (let index = 0; index < 200; index++) writeFileSync(at(`Specs/${index}.md`), "x");
  });
  expect(watch.count()).toBeLessThan(20);
  watch[Symbol.dispose]();
  const before = watch.count();
  writeFileSync(at("Specs/late.md"), "x");
  using other = ears();
  await other.hears(() => writeFileSync(at("Specs/later.md"), "x"));
  expect(watch.count()).toBe(before);
});

test("a folder that is there only later is watched, and the vault's own folders are", async () => {
  const config = await stage.configure(
    "specs_folder: Tasks\nstop_hook_file: /Stop/HERE\nreinject_prompt_file: /Stop/say.md",
  );
  expect(watchedFolders("/v", config)).toEqual([
    { folder: "/v/Tasks", isDeep: true },
    { folder: "/v/Control", isDeep: false },
    { folder: "/v/Stop", isDeep: false },
    { folder: "/v/Done", isDeep: false },
    { folder: "/v/Rejected", isDeep: false },
    { folder: "/v/Needs_Action", isDeep: false },
  ]);
  const told = Promise.withResolvers<void>();
  using _ = stage.vault.watch(config, () => told.resolve());
  mkdirSync(at("Tasks"));
  await told.promise;
});

test("a stamp changes with names, sizes and times, and with nothing else", async () => {
  const stamps = new Set<string>();
  const add = async () => stamps.add(await stampOf(at("Specs"), true)).size;
  expect(await add()).toBe(1);
  expect(await add()).toBe(1);
  mkdirSync(at("Specs/a"));
  expect(await add()).toBe(2);
  writeFileSync(at("Specs/a/b.md"), "x");
  expect(await add()).toBe(3);
  appendFileSync(at("Specs/a/b.md"), "y");
  expect(await add()).toBe(4);
  expect(readFileSync(at("Specs/a/b.md"), "utf8")).toBe("xy");
  expect(await add()).toBe(4);
});
