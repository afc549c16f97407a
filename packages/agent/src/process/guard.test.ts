import { afterEach, expect, test } from "bun:test";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Guarded, startGuarded } from "./guard.ts";
import { endLeftovers } from "./leftovers.ts";
import { findMarked } from "./marked.ts";

const owner = Bun.fileURLToPath(import.meta.resolve("./owner.fixture.ts"));
const started: Guarded[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((agent) => agent.end()));
});

function start(script: string, ...args: string[]): Guarded {
  const agent = startGuarded({ argv: ["sh", "-c", script, "agent", ...args], cwd: "/", env: process.env });
  started.push(agent);
  return agent;
}

/** Look until it is so; a test that waits in vain fails by the runner's own limit. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20);
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return new TextDecoder().decode(chunk).trim();
  return "";
}

const processesOf = async (mark: string) => (await findMarked((other) => other === mark)).map(({ pid }) => pid);

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // A dead process stays a zombie until its parent looks.
  return stat !== null && !/\) [ZX] /.test(stat);
}

test("arguments reach the program untouched, and its output and exit code come back", async () => {
  const agent = start(`printf '%s|' "$@"; exit 7`, "two words", "$HOME", "`id`", "a'b\"c", "");
  expect(await new Response(agent.stdout).text()).toBe("two words|$HOME|`id`|a'b\"c||");
  expect(await agent.exited).toBe(7);
});

test("the program's standard input is empty, and its folder and environment are as asked", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "ralpher-guard-")));
  const agent = startGuarded({
    argv: ["sh", "-c", 'cat; pwd; echo "$ONE|$RALPHER_AGENT_MARK"'],
    cwd: directory,
    env: { PATH: process.env.PATH, ONE: "1" },
  });
  expect(await new Response(agent.stdout).text()).toBe(`${directory}\n1|${agent.mark}\n`);
  await rm(directory, { recursive: true });
});

test("a program that is to have input gets what is written, and its end", async () => {
  const agent = startGuarded({ argv: ["sh", "-c", "cat; echo over"], cwd: "/", env: process.env, hasInput: true });
  agent.stdin.write("one\n");
  await agent.stdin.flush();
  agent.stdin.write("two\n");
  await agent.stdin.end();
  expect(await new Response(agent.stdout).text()).toBe("one\ntwo\nover\n");
});

test("an agent's lifeline is held by its owner alone: one that was started later does not keep it", async () => {
  const first = start("sleep 1000");
  const second = start("sleep 1000");
  await first.end();
  expect(await processesOf(first.mark)).toEqual([]);
  expect(await processesOf(second.mark)).not.toEqual([]);
});

test("a program that is not there ends with code 127", async () => {
  const agent = startGuarded({ argv: ["/no/such/program"], cwd: "/", env: process.env });
  expect(await agent.exited).toBe(127);
});

test("the program can be interrupted, as it could be without a guard", async () => {
  const agent = start(`trap 'echo interrupted; exit 3' INT; kill -s INT $$; echo ignored`);
  expect(await new Response(agent.stdout).text()).toBe("interrupted\n");
  expect(await agent.exited).toBe(3);
});

test("what the program leaves behind in a session of its own ends with the program", async () => {
  const agent = start(`setsid sleep 1000 >/dev/null 2>&1 & echo $!; exit 0`);
  const left = Number(await firstLine(agent.stdout));
  expect(left).toBeGreaterThan(1);
  expect(await agent.exited).toBe(0);
  expect(await processesOf(agent.mark)).toEqual([]);
  expect(await isAlive(left)).toBe(false);
});

test("what hides by an empty environment ends too", async () => {
  const agent = start(`env -i sleep 1000 >/dev/null 2>&1 & echo $!; wait`);
  const hidden = Number(await firstLine(agent.stdout));
  expect(await isAlive(hidden)).toBe(true);
  await agent.end();
  expect(await isAlive(hidden)).toBe(false);
});

test("a program that ignores TERM is killed", async () => {
  const agent = start(`trap '' TERM; echo ready; while :; do sleep 1; done`);
  expect(await firstLine(agent.stdout)).toBe("ready");
  await agent.end();
  expect(await processesOf(agent.mark)).toEqual([]);
});

test("a killed guard is noticed, and what it left is ended", async () => {
  const agent = start(`setsid sleep 1000 >/dev/null 2>&1 & echo $PPID; wait`);
  process.kill(Number(await firstLine(agent.stdout)), "SIGKILL");
  await agent.exited;
  expect(await processesOf(agent.mark)).toEqual([]);
});

test("[R-BACK-6] nothing of an agent outlives a Ralpher that was killed", async () => {
  const ralpher = Bun.spawn([process.execPath, owner, "setsid sleep 1000 & sleep 1000 & echo ready; wait"], {
    stdout: "pipe",
  });
  const [mark = ""] = (await firstLine(ralpher.stdout)).split(" ");
  await until(async () => (await processesOf(mark)).length === 3);
  ralpher.kill("SIGKILL");
  await until(async () => (await processesOf(mark)).length === 0);
});

test("[R-DATA-2] leftovers of a dead Ralpher and its dead guard are ended, those of living ones are not", async () => {
  const living = start("echo ready; sleep 1000");
  await firstLine(living.stdout);
  const ralpher = Bun.spawn([process.execPath, owner, "setsid sleep 1000 & echo $PPID $$; wait"], { stdout: "pipe" });
  const [mark = "", guard, agent] = (await firstLine(ralpher.stdout)).split(" ");
  // All at once, so that nobody has time to clean up: the owner, the guard, and the guard's watcher.
  ralpher.kill("SIGSTOP");
  const children = await readFile(`/proc/${guard}/task/${guard}/children`, "utf8");
  const watchers = children.split(" ").filter((pid) => pid !== "" && pid !== agent);
  for (const pid of [guard, ...watchers]) process.kill(Number(pid), "SIGKILL");
  ralpher.kill("SIGKILL");
  await ralpher.exited;

  const left = await processesOf(mark);
  expect(left).toHaveLength(2);
  expect(await endLeftovers()).toBeGreaterThanOrEqual(2);
  expect(await processesOf(mark)).toEqual([]);
  expect(await processesOf(living.mark)).toHaveLength(2);
});
