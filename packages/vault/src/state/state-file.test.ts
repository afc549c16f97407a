import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { TaskState } from "@ralpher/contract";
import { faultOf, openStage, type Stage, seedState, stageNow } from "../stage.fixture.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const path = ".state/autonomous_loop_state.json";
const backup = "/.state/autonomous_loop_state_backup.json";

test("[T-STATE-1] a state is written as JSON with the seed's keys in the seed's order, and read back", async () => {
  expect(await stage.vault.readState(path)).toBeNull();
  await stage.vault.writeState(path, seedState());
  const text = await stage.read(path);
  expect(text).toStartWith('{\n  "loop_id": "loop_20260215_103000",\n  "task_path": ');
  expect(Object.keys(JSON.parse(text))).toEqual([
    "loop_id",
    "task_path",
    "task_id",
    "started_at",
    "last_updated",
    "status",
    "counters",
    "current_state",
    "history",
    "checkpoints",
    "metadata",
  ]);
  expect(await stage.vault.readState(`/${path}`)).toEqual({ state: seedState(), problem: null });
});

test("[T-STATE-2] the state before becomes the backup, and nothing else is left lying about", async () => {
  await stage.vault.writeState(path, seedState({ last_updated: "1" }));
  await stage.vault.writeState(path, seedState({ last_updated: "2" }));
  await stage.vault.writeState(path, seedState({ last_updated: "3" }));
  expect(JSON.parse(await stage.read(path)).last_updated).toBe("3");
  expect(JSON.parse(await stage.read(backup)).last_updated).toBe("2");
  expect((await readdir(join(stage.vault.root, ".state"))).toSorted()).toEqual([
    "autonomous_loop_state.json",
    "autonomous_loop_state_backup.json",
    "history",
  ]);
});

test("[T-STATE-2] a torn file falls back to the backup wherever it was torn, and does not become the backup", async () => {
  await stage.vault.writeState(path, seedState({ last_updated: "good" }));
  await stage.vault.writeState(path, seedState({ last_updated: "torn" }));
  const whole = await stage.read(path);
  for (const length of [0, 1, 20, 400, whole.length - 3]) {
    await stage.write(path, length === 0 ? "\0\0\0" : whole.slice(0, length));
    const read = await stage.vault.readState(path);
    expect(read?.state.last_updated).toBe("good");
    expect(read?.problem?.path).toBe(`/${path}`);
    expect(read?.problem?.message).toEndWith("its backup of good is used");
  }
  await stage.vault.writeState(path, seedState({ last_updated: "next" }));
  expect(JSON.parse(await stage.read(backup)).last_updated).toBe("good");
  expect((await stage.vault.readState(path))?.problem).toBeNull();
});

test("[T-STATE-2] a file of ours whose values are wrong falls back to the backup", async () => {
  await stage.vault.writeState(path, seedState({ last_updated: "good" }));
  await stage.vault.writeState(path, seedState());
  const wrong = { ...seedState(), counters: { iterations: "many" } };
  await stage.write(path, JSON.stringify(wrong));
  const read = await stage.vault.readState(path);
  expect(read?.state.last_updated).toBe("good");
  expect(read?.problem?.message).toStartWith("its counters.");
});

test("one that is torn and has no backup is neither used nor written over; an empty one is none", async () => {
  await stage.write(path, '{"loop_id": "loop_1", ');
  expect((await faultOf("state_unusable", stage.vault.readState(path))).detail).toContain("it is not whole");
  await faultOf("state_unusable", stage.vault.writeState(path, seedState()));
  expect(await stage.read(path)).toBe('{"loop_id": "loop_1", ');
  await stage.write(path, "");
  expect(await stage.vault.readState(path)).toBeNull();
  await stage.vault.writeState(path, seedState());
});

const { ralpher_loop: _, ...anothers } = seedState().metadata;
const version = (ralph_loop_version: string): TaskState =>
  seedState({ metadata: { ...seedState().metadata, ralph_loop_version } });

test.each([
  ["of another program", JSON.stringify(seedState({ metadata: anothers })), "it was written by another program"],
  ["of a newer Ralpher", JSON.stringify(version("2.0.0")), "it was written by Ralpher 2.0.0, and this is 1.4.2"],
  ["of an older Ralpher", JSON.stringify(version("0.9.0")), "it was written by Ralpher 0.9.0, and this is 1.4.2"],
  ["that is other JSON", '{"name": "package"}', "it is no state file"],
  ["that is a list", "[]", "it is no state file"],
  ["that is a note", "# My note\n", "it is no state file"],
])("a file %s is refused and never written over", async (_name, text, detail) => {
  await stage.write(path, text);
  expect((await faultOf("state_unusable", stage.vault.readState(path))).detail).toBe(detail);
  expect((await faultOf("state_unusable", stage.vault.writeState(path, seedState()))).detail).toBe(detail);
  expect(await stage.read(path)).toBe(text);
});

test("a foreign file where the backup would be is not written over", async () => {
  await stage.vault.writeState(path, seedState());
  await stage.write(backup, "# My note\n");
  await faultOf("state_unusable", stage.vault.writeState(path, seedState()));
  expect(await stage.read(backup)).toBe("# My note\n");
});

test("another version of the same line reads it", async () => {
  await stage.write(path, JSON.stringify(version("1.9.0")));
  expect((await stage.vault.readState(path))?.problem).toBeNull();
});

const writer = `
const { createVaults } = await import(${JSON.stringify(join(import.meta.dir, "../vaults.ts"))});
const [root, state] = process.argv.slice(2);
const vault = await createVaults({ version: "1.4.2", runProgram: () => { throw new Error(); } }).open(root);
const begun = JSON.parse(state);
console.log("begun");
for (let n = 1; ; n++) {
  const history = Array.from({ length: n % 400 }, (_, i) => ({ ...begun.history[0], iteration: i + 1 }));
  await vault.writeState(${JSON.stringify(path)}, { ...begun, last_updated: String(n), history });
}
`;

test("[T-STATE-2] a process killed while it saves leaves a state that is whole, each time", async () => {
  await stage.write("/writer.ts", writer);
  let last = 0;
  for (let kill = 0; kill < 5; kill++) {
    const child = Bun.spawn(
      [process.execPath, join(stage.vault.root, "writer.ts"), stage.vault.root, JSON.stringify(seedState())],
      { stderr: "inherit" },
    );
    const output = child.stdout.getReader();
    await output.read();
    // Not before it has written something this time.
    const begun = await stat(join(stage.vault.root, path)).catch(() => null);
    for (;;) {
      const now = await stat(join(stage.vault.root, path)).catch(() => null);
      if (now !== null && now.ino !== begun?.ino) break;
      await Bun.sleep(1);
    }
    child.kill("SIGKILL");
    await child.exited;
    const read = await stage.vault.readState(path);
    expect(read?.problem).toBeNull();
    expect(read?.state.history).toHaveLength(Number(read?.state.last_updated) % 400);
    last += Number(read?.state.last_updated);
  }
  expect(last).toBeGreaterThan(0);
}, 30_000);

test("[T-STATE-4] a finished loop's state goes to the history, and older ones go after the days that are kept", async () => {
  const days = (count: number) => new Date(stageNow.getTime() - count * 24 * 60 * 60 * 1000);
  const old = async (name: string, at: Date) => {
    await stage.write(`/.state/history/${name}`, "{}");
    await utimes(join(stage.vault.root, ".state/history", name), at, at);
  };
  await old("loop_20260101_090000.json", days(31));
  await old("loop_20260201_090000.json", days(29));
  await old("notes.md", days(400));
  await stage.vault.writeState(path, seedState());
  await stage.vault.writeState(path, seedState({ status: "completed" }));
  const archived = await stage.vault.archiveState(stage.config, path, seedState({ status: "completed" }), stageNow);
  expect(archived).toBe("/.state/history/loop_20260215_103000.json");
  expect(JSON.parse(await stage.read(archived)).status).toBe("completed");
  expect((await readdir(join(stage.vault.root, ".state/history"))).toSorted()).toEqual([
    "loop_20260201_090000.json",
    "loop_20260215_103000.json",
    "notes.md",
  ]);
  expect(await stage.vault.readState(path)).toBeNull();
});

test("another loop's state stays where it is, and an odd name leads nowhere else", async () => {
  await stage.vault.writeState(path, seedState({ loop_id: "loop_20260216_000000" }));
  const archived = await stage.vault.archiveState(stage.config, path, seedState({ loop_id: "../../x y" }), stageNow);
  expect(archived).toBe("/.state/history/__.._x_y.json");
  expect((await stage.vault.readState(path))?.state.loop_id).toBe("loop_20260216_000000");
});
