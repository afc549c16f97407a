import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionRequest, ToolAccess } from "@ralpher/contract";
import { readOnly } from "../../tools/access.ts";
import { createAcpBackend } from "./backend.ts";
import type { AcpOptions } from "./session.ts";
import { type Heard, hear, noticesOf, toolsOf } from "./stage.fixture.ts";

setDefaultTimeout(30_000);

const odd = [process.execPath, Bun.fileURLToPath(import.meta.resolve("./odd-agent.fixture.ts"))];
const leftEarly = Bun.fileURLToPath(import.meta.resolve("./left-early.fixture.ts"));
const sh = (script: string) => ["sh", "-c", script];

let root: string;
let folders = 0;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-odd-")));
});
afterAll(() => rm(root, { recursive: true }));

async function request(overrides: Partial<SessionRequest> = {}): Promise<SessionRequest> {
  const directory = join(root, `${folders++}`);
  await mkdir(directory);
  return {
    directory,
    backend: { type: "acp", mode: "spawn" },
    title: "Test",
    idleTimeoutMs: 20_000,
    signal: new AbortController().signal,
    ...overrides,
  };
}

/** The prompts in one session. */
async function converse(prompts: string[], overrides: Partial<SessionRequest> = {}, options: AcpOptions = {}) {
  await using backend = createAcpBackend({ command: odd, ...options });
  await using session = backend.open(await request(overrides));
  const heard: Heard[] = [];
  for (const prompt of prompts) heard.push(await hear(session.turn(prompt)));
  return heard;
}

async function run(prompt: string, overrides: Partial<SessionRequest> = {}, options: AcpOptions = {}): Promise<Heard> {
  const [heard] = await converse([prompt], overrides, options);
  if (heard === undefined) throw new Error("nothing was heard");
  return heard;
}

const textOf = ({ result }: Heard) => (result.outcome === "done" ? result.text : JSON.stringify(result.failure));
const withEnv = (env: Record<string, string>): AcpOptions => ({ env: { ...process.env, ...env } });

describe("a program that does not speak the protocol", () => {
  test("that is not there fails the turn as missing, with a hint", async () => {
    const { result } = await run("hello", { backend: { type: "acp", mode: "spawn", command: ["no-such-agent"] } });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "missing" } });
    expect(textOf({ events: [], result })).toContain("no-such-agent was not found");
  });

  test("whose interpreter is not there fails the turn as missing", async () => {
    const { result } = await run("hello", {}, { command: sh("exec no-such-interpreter agent.js") });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "missing" } });
  });

  test("that ends at once fails the turn as crashed, with its last words", async () => {
    const { result } = await run("hello", {}, { command: sh("echo 'no config found' >&2; exit 4") });
    expect(result).toMatchObject({
      outcome: "failed",
      failure: { reason: "crashed", message: expect.stringMatching(/exit code 4\).*no config found/s) },
    });
  });

  test("that talks nonsense fails the turn as protocol, and what it said is told", async () => {
    const { result } = await run("hello", {}, { command: sh("echo 'Welcome, human!'; sleep 1000") });
    expect(result).toMatchObject({
      outcome: "failed",
      failure: { reason: "protocol", message: expect.stringContaining("Welcome, human!") },
    });
  });

  test("that echoes all it is told fails the turn as protocol", async () => {
    const { result } = await run("hello", {}, { command: ["cat"] });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "protocol" } });
  });

  test("that never answers fails the turn as timeout, and is ended", async () => {
    const { result } = await run("hello", {}, { command: sh("sleep 1000"), startTimeoutMs: 300 });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "timeout" } });
  });

  test("can be given up while it starts", async () => {
    const abort = new AbortController();
    await using backend = createAcpBackend({ command: sh("echo started > started; sleep 1000") });
    const asked = await request({ signal: abort.signal });
    await using session = backend.open(asked);
    const turn = session.turn("hello");
    while (!(await readdir(asked.directory)).includes("started")) await Bun.sleep(10);
    abort.abort();
    expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
  });

  test("greets first and then speaks it: that is heard", async () => {
    const [program = "", file = ""] = odd;
    const { result } = await run("hello", {}, { command: sh(`echo 'Welcome, human!'; exec "${program}" "${file}"`) });
    expect(result).toMatchObject({ outcome: "done", text: "You said: hello" });
  });

  test("speaks another version of it: the turn fails as protocol", async () => {
    const { result } = await run("hello", {}, withEnv({ ODD_VERSION: "2" }));
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "protocol" } });
  });
});

describe("health", () => {
  const health = (options: AcpOptions) => createAcpBackend(options).health();

  test("an agent that speaks the protocol is ready, whether or not it tells its version", async () => {
    expect(await health({ command: odd })).toEqual({ state: "ready", version: "7.0.0", path: process.execPath });
    const nameless = { command: odd, ...withEnv({ ODD_NAMELESS: "1" }) };
    expect(await health(nameless)).toMatchObject({ state: "ready", version: "unknown" });
  });

  test("an agent that is ready is started once, and again when a file of its command line has changed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ralpher-acp-"));
    const script = join(folder, "agent.sh");
    const [program, file] = odd;
    const install = (version: string) =>
      writeFile(script, `printf x >> '${folder}/started'\nexec env ODD_VERSION=${version} "${program}" "${file}"\n`);
    await install("1");
    await using backend = createAcpBackend({ command: ["sh", script] });
    expect(await Promise.all([backend.health(), backend.health()])).toMatchObject([
      { state: "ready" },
      { state: "ready" },
    ]);
    expect(await backend.health()).toMatchObject({ state: "ready", version: "7.0.0" });
    expect(await readFile(join(folder, "started"), "utf8")).toBe("x");
    await install("2");
    for (const _time of ["once", "twice"]) expect(await backend.health()).toMatchObject({ state: "broken" });
    expect(await readFile(join(folder, "started"), "utf8")).toBe("xxx");
    await rm(folder, { recursive: true });
  });

  test("a configuration's command line is the one that is looked for, with how to get it", async () => {
    const config = { type: "acp" as const, mode: "spawn" as const, command: ["/no/such/folder/gemini", "--acp"] };
    expect(await createAcpBackend({ command: odd }).health(config)).toEqual({
      state: "missing",
      detail: expect.stringContaining("/no/such/folder/gemini"),
      install: expect.stringContaining("@google/gemini-cli"),
    });
  });

  test("without a command line opencode is meant", async () => {
    const found = await health({ env: { PATH: "/nowhere" } });
    expect(found).toMatchObject({ state: "missing", install: expect.stringContaining("opencode-ai") });
  });

  test("a program that is there and speaks something else is broken", async () => {
    expect(await health({ command: sh("exit 1") })).toMatchObject({ state: "broken" });
    expect(await health({ command: sh("sleep 1000"), startTimeoutMs: 200 })).toMatchObject({ state: "broken" });
  });
});

describe("what an agent asks for", () => {
  const rules: ToolAccess = { kinds: ["read", "search", "edit", "run", "web", "delegate"], commands: [] };

  test("is granted without rules, though nobody knows what it is", async () => {
    expect(textOf(await run("ask for a mystery"))).toBe('{"outcome":"selected","optionId":"my allow_once"}');
  });

  test("is refused with rules when its kind is unknown", async () => {
    const heard = await run("ask for a mystery", { tools: rules });
    expect(textOf(heard)).toBe('{"outcome":"selected","optionId":"my reject_once"}');
  });

  test("is refused with rules when it does not say which file", async () => {
    const heard = await run("ask for a nameless file", { tools: readOnly() });
    expect(textOf(heard)).toContain("my reject_once");
  });

  test("is granted when the rules allow the file, which is told only after the question", async () => {
    const heard = await run("ask before saying which file", { tools: readOnly() });
    expect(toolsOf(heard)).toMatchObject([
      { name: "read", input: { path: "a.txt" }, output: "a", status: "completed" },
    ]);
  });

  test("is answered for this time only where that can be, and in any case", async () => {
    expect(textOf(await run("ask for ever"))).toContain("my allow_always");
    expect(textOf(await run("ask for ever", { tools: readOnly() }))).toContain("my reject_always");
    expect(textOf(await run("ask nothing"))).toBe('{"outcome":"cancelled"}');
  });

  test("a tool that was run unasked though it is not allowed ends the turn as protocol", async () => {
    const { result } = await run("do not ask", { tools: readOnly() });
    expect(result).toMatchObject({
      outcome: "failed",
      failure: { reason: "protocol", message: expect.stringContaining("shell") },
    });
  });

  test("it is put into its careful mode with rules, and left as it is without", async () => {
    expect(textOf(await run("how are you set?"))).toBe("yolo, default");
    expect(textOf(await run("how are you set?", { tools: readOnly() }))).toBe("ask, default");
  });

  test("files are written for it anywhere without rules, and with rules where they allow it", async () => {
    const free = await request();
    await using backend = createAcpBackend({ command: odd });
    await using session = backend.open(free);
    expect((await session.turn("write").result).outcome).toBe("done");
    expect(await readFile(join(free.directory, "deep/in/it.txt"), "utf8")).toBe("written");
    expect(await readFile(join(root, "outside.txt"), "utf8")).toBe("written");
    await rm(join(root, "outside.txt"));

    const inside = textOf(await run("write", { tools: { kinds: ["edit"], commands: [] } }));
    expect(inside).toMatch(/^deep\/in\/it\.txt: written\n\.\.\/outside\.txt: .*outside/);
    const nowhere = await request({ tools: readOnly() });
    await using narrow = backend.open(nowhere);
    expect((await narrow.turn("write").result).outcome).toBe("done");
    expect(await readdir(nowhere.directory)).toEqual([]);
    expect(await readdir(root)).not.toContain("outside.txt");
  });
});

describe("what an agent says", () => {
  test("that we do not know is ignored", async () => {
    const heard = await run("future");
    expect(textOf(heard)).toBe("I come from the future.");
    expect(noticesOf(heard)).toEqual([]);
  });

  test("under an id that comes again is a message each time, and the last one is the result", async () => {
    const { events, result } = await run("interrupt");
    const said = events.flatMap((event) => (event.type === "message.complete" ? [event] : []));
    expect(said.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "text One ",
      "reasoning hm",
      "text two",
      "text three four",
    ]);
    expect(new Set(said.map(({ messageId }) => messageId)).size).toBe(4);
    expect(result).toMatchObject({ outcome: "done", text: "three four" });
  });

  test.each([
    ["stop oddly", "protocol"],
    ["stop at the limit", "budget"],
    ["log in", "auth"],
    ["die", "crashed"],
  ] as const)("to the prompt %s fails the turn as %s", async (prompt, reason) => {
    expect((await run(prompt)).result).toMatchObject({ outcome: "failed", failure: { reason } });
  });

  test("does not matter any more when it does not listen to its cancellation: it is ended", async () => {
    const { events, result } = await run("hang", { idleTimeoutMs: 300 }, { startTimeoutMs: 10_000 });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "timeout" } });
    expect(events.at(-1)).toMatchObject({ type: "message.complete", text: "I hang." });
  });

  test("first when it is cancelled keeps nobody: once all is closed, the process that had it ends", async () => {
    const program = Bun.spawn([process.execPath, leftEarly, "speak when cancelled", ...odd], {
      cwd: root,
      // Else one that stays would outlive the test.
      timeout: 15_000,
      killSignal: "SIGKILL",
    });
    const said = await new Response(program.stdout).text();
    expect(JSON.parse(said)).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
    expect(await program.exited).toBe(0);
  });
});

describe("an agent's process that died", () => {
  test("is started anew, and takes up the session; what it tells of it again is not news", async () => {
    const env = withEnv({ ODD_SESSIONS: join(root, "sessions") });
    const [one, two] = await converse(["die", "hello"], {}, env);
    expect(one?.result).toMatchObject({ outcome: "failed", failure: { reason: "crashed" } });
    expect(two?.result).toMatchObject({ outcome: "done", text: "You said: hello" });
    expect(two?.events[0]).toEqual(one?.events[0] as never);
    expect(JSON.stringify(two?.events)).not.toContain("What was said before.");
  });

  test("cannot go on where it does not know how to", async () => {
    const [, two] = await converse(["die", "hello"]);
    expect(two?.result).toMatchObject({
      outcome: "failed",
      failure: { reason: "crashed", message: expect.stringContaining("cannot go on") },
    });
  });
});

describe("money", () => {
  test("each turn costs what it adds to the session, and one that adds nothing costs nobody knows what", async () => {
    const heard = await converse(["spend", "hello", "spend"]);
    expect(heard.map(({ result }) => result.usage.costUsd)).toEqual([0.25, null, 0.25]);
  });

  test("a session that has cost as much as it may takes no further prompt", async () => {
    const [one, two] = await converse(["spend", "hello"], { costLimitUsd: 0.25 });
    expect(one?.result.outcome).toBe("done");
    expect(two?.result).toMatchObject({ outcome: "failed", failure: { reason: "budget" } });
  });

  test("an agent that goes on when the money is spent is stopped", async () => {
    const { result } = await run("spend and go on", { costLimitUsd: 0.5 });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "budget" }, usage: { costUsd: 0.75 } });
  });
});

describe("the model", () => {
  const choose = (providerID: string, modelID: string, env: Record<string, string>) =>
    run("how are you set?", { model: { providerID, modelID } }, withEnv(env));

  test("is chosen among an option's groups", async () => {
    expect(textOf(await choose("a", "large", { ODD_MODELS: "options" }))).toBe("yolo, a/large");
  });

  test("is chosen as agents had it before there were options", async () => {
    expect(textOf(await choose("b", "new", { ODD_MODELS: "former" }))).toBe("yolo, new");
  });

  test.each(["options", "none"])("that an agent does not take fails the turn as model (%s)", async (kind) => {
    const { result } = await choose("a", "huge", { ODD_MODELS: kind });
    expect(result).toMatchObject({ outcome: "failed", failure: { reason: "model" } });
  });
});
