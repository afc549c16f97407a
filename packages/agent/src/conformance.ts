import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentBackend,
  type AgentEvent,
  type FailureReason,
  type JsonSchema,
  Script,
  type ScriptedTool,
  type SessionRequest,
  type TurnOptions,
} from "@ralpher/contract";
import { z } from "zod";
import { patternConformance } from "./pattern-conformance.ts";
import { parseMark } from "./process/mark.ts";
import { findMarked } from "./process/marked.ts";
import { createSightings } from "./sightings.ts";
import { type Heard, hear } from "./stage.fixture.ts";
import { readOnly } from "./tools/access.ts";

/** A backend under test, whose model plays a script. Disposing it disposes the backend. */
export interface Subject extends AsyncDisposable {
  backend: AgentBackend;
  /** What leads a session of this backend to the script. */
  request: Pick<SessionRequest, "backend" | "model">;
  /** The same with a model that does not exist; absent when the backend has no models. */
  wrongModel?: Pick<SessionRequest, "backend" | "model">;
  /** How much of the conversation the model was given with each request of a session so far. */
  contextSizes(sessionId: string): number[];
  /** The names of the tools the model was offered with the newest request of a session; null when nothing tells. */
  toolsOffered(sessionId: string): string[] | null;
  /** From now on the model's provider cannot be reached; absent when there is none. */
  disconnect?(): Promise<void>;
}

/** An agent's own tools, for the script to call. */
export interface Dialect {
  write(path: string, content: string): ScriptedTool;
  read(path: string): ScriptedTool;
  run(command: string): ScriptedTool;
  /** A question to a human; absent when the agent has no such tool. */
  ask?(question: string): ScriptedTool;
}

const floodWord = "word ";
const floodCount = 20_000;

/** The form of the structured answers: unions, enums, optionals, nested arrays. */
const verdictSchema = z.strictObject({
  verdict: z.union([z.boolean(), z.literal("unverifiable")]),
  severity: z.enum(["low", "high"]),
  note: z.string().optional(),
  criteria: z.array(
    z.strictObject({
      id: z.string(),
      satisfied: z.union([z.boolean(), z.literal("unverifiable")]),
      evidence: z.array(z.strictObject({ file: z.string(), lines: z.array(z.int()) })),
    }),
  ),
});
const verdict = {
  verdict: "unverifiable",
  severity: "high",
  criteria: [
    { id: "a", satisfied: true, evidence: [{ file: "a.ts", lines: [1, 2] }] },
    { id: "b", satisfied: "unverifiable", evidence: [] },
  ],
};
const wrongVerdict = { verdict: "maybe", criteria: [] };
const askedForm = z.toJSONSchema(verdictSchema) as JsonSchema;

const scriptIn = ({ write, read, run, ask }: Dialect) =>
  Script.parse({
    conversations: [
      {
        when: "make a file",
        steps: [
          {
            reasoning: "A file is wanted.",
            text: "I will make it. <promise>COMPLETE</promise>",
            tools: [write("made.txt", "made")],
          },
          { reasoning: "It is made.", text: "The file is made." },
        ],
      },
      { when: "flood", steps: [{ text: floodWord, repeat: floodCount }] },
      {
        when: "sleep",
        steps: [
          {
            text: "I sleep.",
            tools: [run("echo $$ > plain.pid; setsid sleep 1000 & echo $! > session.pid; sleep 1000")],
          },
          { text: "I woke." },
        ],
      },
      {
        when: "print a lot",
        steps: [{ tools: [run("yes $(printf %0100d 0) | head -n 400")] }, { text: "Printed." }],
      },
      {
        when: "print the word",
        steps: [{ tools: [run('printf %s "$RALPHER_WORD" > word.txt')] }, { text: "Printed." }],
      },
      {
        when: "do what you may not",
        steps: [
          { tools: [write("forbidden.txt", "forbidden")] },
          { tools: [run("touch forbidden.txt")] },
          { tools: [run("sh allowed.sh; touch forbidden.txt")] },
          { tools: [write("../forbidden.txt", "forbidden")] },
          { tools: [read("allowed.sh")] },
          { tools: [run("sh allowed.sh")] },
          { text: "I did what I could." },
        ],
      },
      ...(ask === undefined
        ? []
        : [{ when: "ask somebody", steps: [{ tools: [ask("Shall I?")] }, { text: "Nobody answers." }] }]),
      { when: "judge it wrongly", steps: [{ structured: wrongVerdict }, { structured: verdict }] },
      { when: "judge it", steps: [{ structured: verdict }] },
      { when: "talk about it", steps: [{ text: "It is fine, I think." }] },
      { when: "fall silent", steps: [{ text: "I fall", fault: { kind: "stall" } }] },
      { when: "be cut", steps: [{ text: "I am cut off in the middle", fault: { kind: "cut" } }] },
      { when: "overflow", steps: [{ fault: { kind: "overflow" } }] },
      ...[401, 403, 429, 500].map((status) => ({
        when: `status ${status}`,
        // Agents that ask again by themselves are stopped in the wait before they do.
        steps: [{ fault: { kind: "status", status, retryAfterSeconds: 0.25 } }],
      })),
      {
        when: "recover",
        steps: [{ fault: { kind: "status", status: 500, retryAfterSeconds: 0, times: 1 }, text: "Recovered." }],
      },
      { when: "greet", steps: [{ text: "Hello there, and welcome." }] },
    ],
  });

/**
 * What every backend must do, as tests. `make` gives a backend whose model plays the script; one serves all tests but the
 * last.
 */
export function agentConformance(name: string, dialect: Dialect, make: (script: Script) => Promise<Subject>): void {
  const script = scriptIn(dialect);
  const sightings = createSightings(name);
  describe(`${name} as an agent`, () => {
    // Real agents on a busy machine; the tests themselves wait for nothing.
    setDefaultTimeout(60_000);
    let subject: Subject;
    let root: string;
    let directories = 0;

    beforeAll(async () => {
      root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-agent-")));
      subject = await make(script);
      await run("greet");
    });
    afterAll(async () => {
      await subject[Symbol.asyncDispose]();
      await rm(root, { recursive: true });
    });

    /** In a new folder, unless one is named. */
    async function request(overrides: Partial<SessionRequest> = {}): Promise<SessionRequest> {
      const directory = overrides.directory ?? join(root, `${directories++}`);
      await mkdir(directory, { recursive: true });
      return {
        directory,
        ...subject.request,
        // Agents that ask again by themselves would take minutes over what fails.
        attempts: 1,
        title: "Conformance",
        idleTimeoutMs: 120_000,
        signal: new AbortController().signal,
        ...overrides,
      };
    }

    /**
     * In the folder of all tests that have no use for one of their own: an agent's first prompt in a folder may take it a
     * while.
     */
    const requestAtHome = (overrides: Partial<SessionRequest> = {}) =>
      request({ directory: join(root, "home"), ...overrides });

    /** One prompt in a session of its own. */
    async function run(prompt: string, overrides?: Partial<SessionRequest>, options?: TurnOptions): Promise<Heard> {
      await using session = subject.backend.open(await requestAtHome(overrides));
      return await hear(session.turn(prompt, options));
    }

    /** Several tests look at one turn that says something, uses a tool, and answers. */
    let made: Promise<Heard> | null = null;
    const runMaking = () => (made ??= run("make a file"));

    async function failure(prompt: string, overrides?: Partial<SessionRequest>): Promise<FailureReason | null> {
      const { result } = await run(prompt, overrides);
      return result.outcome === "failed" ? result.failure.reason : null;
    }

    test("it is ready", async () => {
      expect(await subject.backend.health()).toMatchObject({ state: "ready", version: expect.any(String) });
    });

    test("a turn begins with its session and ends with the agent's text and usage", async () => {
      const { events, result } = await run("greet");
      expect(events[0]).toMatchObject({ type: "session.start", session: { id: expect.stringMatching(/./) } });
      expect(events.filter(({ type }) => type === "session.start")).toHaveLength(1);
      expect(result).toMatchObject({ outcome: "done", text: "Hello there, and welcome." });
      expect(result).not.toHaveProperty("structured");
    });

    test("what a turn used is told with every answer and at its end, and what is unknown is null, never 0", async () => {
      const { events, result } = await runMaking();
      const told = events.filter((event) => event.type === "usage");
      const { inputTokens, outputTokens, costUsd } = result.usage;
      sightings.see("tokens", inputTokens === null ? "no" : "yes");
      sightings.see("cost", costUsd === null ? "no" : "yes");
      sightings.see("answers counted", told.length === 0 ? "no" : "yes");
      if (inputTokens !== null) expect({ inputTokens, outputTokens }).toEqual({ inputTokens: 200, outputTokens: 40 });
      if (subject.backend.capabilities.cost) expect(costUsd).toBeGreaterThan(0);
      else expect(costUsd).toBeNull();
      for (const [index, { answers }] of told.entries()) expect(answers).toBe(index + 1);
      if (told.length > 0) expect(told).toHaveLength(2);
    });

    test("the deltas of a message come in pieces, add up to it, and are followed by it", async () => {
      const { events } = await runMaking();
      const kinds = events.flatMap((event) => (event.type === "message.complete" ? [event.kind] : []));
      expect(kinds.toSorted()).toEqual(["reasoning", "reasoning", "text", "text"]);
      expect(events.filter(({ type }) => type === "message.delta").length).toBeGreaterThan(kinds.length);
      expectWholeMessages(events);
    });

    test("a tool is really run, and its start and its end have the same id", async () => {
      const asked = await request();
      await using session = subject.backend.open(asked);
      const { events } = await hear(session.turn("make a file"));
      const starts = events.filter((event) => event.type === "tool.start");
      const ends = events.filter((event) => event.type === "tool.complete");
      expect(starts).toHaveLength(1);
      expect(JSON.stringify(starts[0]?.input)).toContain("made.txt");
      expect(ends).toMatchObject([{ tool: { id: starts[0]?.callId, name: starts[0]?.name, status: "completed" } }]);
      expect(await readFile(join(asked.directory, "made.txt"), "utf8")).toBe("made");
    });

    test("a large tool output is shortened, and its size is told", async () => {
      const { events } = await run("print a lot");
      const [end] = events.filter((event) => event.type === "tool.complete");
      expect(end?.tool.outputBytes).toBeGreaterThanOrEqual(40_000);
      expect(Buffer.byteLength(end?.tool.output ?? "")).toBeLessThanOrEqual(32 * 1024);
    });

    test("[R-RUN-3] the result's text is the last message only, without reasoning or what was said before", async () => {
      const { result } = await runMaking();
      expect(result).toMatchObject({ outcome: "done", text: "The file is made." });
    });

    test("[R-RUN-2] every session is a fresh context, and the turns of one session share theirs", async () => {
      await using first = subject.backend.open(await requestAtHome());
      const one = await hear(first.turn("greet"));
      const two = await hear(first.turn("greet again"));
      const three = await run("greet");
      expect(sessionOf(two)).toBe(sessionOf(one));
      expect(sessionOf(three)).not.toBe(sessionOf(one));
      const [small = Number.NaN, large, ...more] = subject.contextSizes(sessionOf(one));
      expect(large).toBeGreaterThan(small);
      expect(more).toEqual([]);
      expect(subject.contextSizes(sessionOf(three))).toEqual([small]);
    });

    test("an abort ends the turn, and the agent's child processes are gone", async () => {
      const abort = new AbortController();
      const asked = await request({ signal: abort.signal });
      await using session = subject.backend.open(asked);
      const turn = session.turn("sleep");
      const events: AgentEvent[] = [];
      for await (const event of turn) {
        events.push(event);
        if (event.type === "tool.start") void whenWritten(asked.directory, "session.pid").then(() => abort.abort());
      }
      expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
      expect(toolEnds(events).at(-1)).toMatchObject({ status: "error" });
      expectWholeMessages(events);
      for (const file of ["plain.pid", "session.pid"]) {
        expect(await isRunning(Number(await readFile(join(asked.directory, file), "utf8")))).toBe(false);
      }
      sightings.see("cancel", "yes, with its child processes");
    });

    test("an aborted signal ends a turn before it begins", async () => {
      expect(await failure("greet", { signal: AbortSignal.abort() })).toBe("aborted");
    });

    test("closing a session ends its turn", async () => {
      const session = subject.backend.open(await requestAtHome());
      const turn = session.turn("fall silent");
      for await (const event of turn) if (event.type === "message.delta") break;
      await session[Symbol.asyncDispose]();
      expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
    });

    test("an agent that falls silent is ended", async () => {
      const { events, result } = await run("fall silent", { idleTimeoutMs: 2500 });
      expect(result).toMatchObject({ outcome: "failed", failure: { reason: "timeout" } });
      expect(events.filter(({ type }) => type === "message.complete").at(-1)).toMatchObject({ text: "I fall" });
      expectWholeMessages(events);
    });

    test("a tool that prints nothing for too long counts as silence", async () => {
      const { events, result } = await run("sleep", { idleTimeoutMs: 2500 });
      expect(result).toMatchObject({ outcome: "failed", failure: { reason: "timeout" } });
      expect(toolEnds(events).at(-1)).toMatchObject({ status: "error" });
    });

    test.each([
      ["status 401", "auth"],
      ["status 403", "auth"],
      ["status 429", "rate_limited"],
      ["status 500", "server"],
      ["overflow", "overflow"],
    ] as const)("a model that answers with %s makes the turn fail as %s", async (prompt, reason) => {
      expect(await failure(prompt)).toBe(reason);
    });

    test.each([
      ["status 429", "rate_limited", 3],
      ["status 500", "server", 3],
      ["status 401", "auth", 1],
      ["status 403", "auth", 1],
    ] as const)(
      "[A-ERR-1, A-ERR-2] with three attempts, %s fails as %s after at most %i, and each of them is told",
      async (prompt, reason, most) => {
        const { events, result } = await run(prompt, { attempts: 3 });
        const tried = subject.contextSizes(sessionOf({ events })).length;
        expect(tried).toBeLessThanOrEqual(most);
        if (result.outcome !== "failed") throw new Error("the turn did not fail");
        expect(result.failure.reason).toBe(reason);
        const { attempts } = result.failure;
        // An agent that does not ask again by itself leaves that to us.
        if (attempts === undefined) expect(tried).toBeLessThanOrEqual(1);
        else expect(attempts).toHaveLength(most);
        for (const attempt of attempts ?? [])
          expect(attempt).toMatchObject({ reason, message: expect.stringMatching(/./) });
      },
    );

    test("after a failed turn the session goes on", async () => {
      await using session = subject.backend.open(await requestAtHome());
      const failed = await hear(session.turn("status 500"));
      expect(failed.result).toMatchObject({ outcome: "failed", failure: { reason: "server" } });
      const again = await hear(session.turn("greet"));
      expect(again.result).toMatchObject({ outcome: "done", text: "Hello there, and welcome." });
      expect(sessionOf(again)).toBe(sessionOf(failed));
    });

    test("[A-OUT-1] a structured answer comes as it was given", async () => {
      const { events, result } = await run("judge it", {}, { output: askedForm });
      expect(result).toMatchObject({ outcome: "done", structured: verdict });
      // Whatever it is on the wire, an answer is no use of a tool.
      expect(events.filter(({ type }) => type.startsWith("tool."))).toEqual([]);
      const offered = subject.toolsOffered(sessionOf({ events }));
      const isNative =
        offered === null
          ? subject.backend.capabilities.structuredOutput === "native"
          : offered.includes("StructuredOutput");
      expect(subject.backend.capabilities.structuredOutput).toBe(isNative ? "native" : "prompt");
      sightings.see("structured output", isNative ? "native" : "by prompt");
    });

    test("[A-OUT-3] an answer in the wrong form comes as it was given, and the agent is not asked again", async () => {
      const { events, result } = await run("judge it wrongly", {}, { output: askedForm });
      expect(result).toMatchObject({ outcome: "done", structured: wrongVerdict });
      expect(subject.contextSizes(sessionOf({ events })).length).toBeLessThanOrEqual(1);
    });

    test("an agent that only talks where a structured answer is wanted gave none", async () => {
      const { result } = await run("talk about it", {}, { output: askedForm });
      expect(result).toMatchObject({ outcome: "done" });
      expect(result).not.toHaveProperty("structured");
    });

    test("each prompt of a session may want an answer in a form of its own, or in none", async () => {
      await using session = subject.backend.open(await requestAtHome());
      const one = await hear(session.turn("greet"));
      const two = await hear(session.turn("judge it", { output: askedForm }));
      const three = await hear(session.turn("greet once more"));
      expect(one.result).toMatchObject({ outcome: "done", text: "Hello there, and welcome." });
      expect(two.result).toMatchObject({ outcome: "done", structured: verdict });
      expect(three.result).toMatchObject({ outcome: "done", text: "Hello there, and welcome." });
      expect(three.result).not.toHaveProperty("structured");
      expect(new Set([one, two, three].map(sessionOf)).size).toBe(1);
      const sizes = subject.contextSizes(sessionOf(one));
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    });

    test("[A-NARROW-2] what is not allowed cannot run, though the model tries, and what is allowed does", async () => {
      const asked = await request({ tools: readOnly(["sh allowed.sh"]) });
      await writeFile(join(asked.directory, "allowed.sh"), "echo yes > ran.txt\n");
      await using session = subject.backend.open(asked);
      const heard = await hear(session.turn("do what you may not"));
      expect(heard.result).toMatchObject({ outcome: "done", text: "I did what I could." });
      expect((await readdir(asked.directory)).toSorted()).toEqual(["allowed.sh", "ran.txt"]);
      expect(await readdir(root)).not.toContain("forbidden.txt");
      const done = toolEnds(heard.events).filter(({ status }) => status === "completed");
      expect(done).toHaveLength(2);
      const offered = subject.toolsOffered(sessionOf(heard));
      const isOffered = offered?.some((name) => name.toLowerCase() === dialect.write("", "").name.toLowerCase());
      sightings.see(
        "tools that are not allowed",
        isOffered === false ? "not offered to the model" : "refused when tried",
      );
    });

    test("without an allowlist the agent may do anything, in its directory and outside", async () => {
      const asked = await request();
      await using session = subject.backend.open(asked);
      expect((await hear(session.turn("do what you may not"))).result.outcome).toBe("done");
      expect(await readdir(asked.directory)).toContain("forbidden.txt");
      expect(await readdir(root)).toContain("forbidden.txt");
      await rm(join(root, "forbidden.txt"));
    });

    test("a question to a human holds nothing up", async () => {
      if (dialect.ask === undefined) return;
      expect((await run("ask somebody")).result).toMatchObject({ outcome: "done", text: "Nobody answers." });
    });

    test("what is added to the environment reaches the agent's tools, and no other session's", async () => {
      const words = ["a word", "another"];
      const requests = await Promise.all(words.map((word) => request({ env: { RALPHER_WORD: word } })));
      const plain = await request();
      await Promise.all(
        [...requests, plain].map(async (asked) => {
          await using session = subject.backend.open(asked);
          await hear(session.turn("print the word"));
        }),
      );
      const said = [...requests, plain].map(({ directory }) => readFile(join(directory, "word.txt"), "utf8"));
      expect(await Promise.all(said)).toEqual([...words, ""]);
    });

    test("a session whose process has died goes on with what it knew, or says that it cannot", async () => {
      const other = await make(script);
      await using _ = other;
      await using session = other.backend.open({ ...(await request()), ...other.request });
      const former = await ownProcesses();
      const one = await hear(session.turn("greet"));
      for (const pid of (await ownProcesses()).filter((mine) => !former.includes(mine))) process.kill(pid, "SIGKILL");
      const two = await hear(session.turn("greet again"));
      const { resume } = other.backend.capabilities;
      // The death may be noticed only when it is spoken to.
      const three = two.result.outcome === "failed" ? await hear(session.turn("greet again")) : two;
      if (resume) {
        expect(three.result).toMatchObject({ outcome: "done" });
        expect(sessionOf(three)).toBe(sessionOf(one));
        const sizes = other.contextSizes(sessionOf(one));
        expect(sizes.at(-1)).toBeGreaterThan(sizes[0] ?? Number.NaN);
      }
      sightings.see("resume", resume ? "yes" : "no");
    });

    test("a provider that cannot be reached makes the turn fail as connection", async () => {
      const other = await make(script);
      await using _ = other;
      if (other.disconnect === undefined) return;
      await other.disconnect();
      await using session = other.backend.open({ ...(await request()), ...other.request });
      const { result } = await hear(session.turn("greet"));
      expect(result).toMatchObject({ outcome: "failed", failure: { reason: "connection" } });
    });

    test("[R-BACK-4] a model that does not exist makes the turn fail as model", async () => {
      if (subject.wrongModel !== undefined) expect(await failure("greet", subject.wrongModel)).toBe("model");
      else expect(subject.backend.capabilities.models).toBe(false);
    });

    test(`a flood of ${floodCount} deltas arrives whole, however slow the reader`, async () => {
      await using session = subject.backend.open(await requestAtHome());
      const turn = session.turn("flood");
      const events: AgentEvent[] = [];
      for await (const event of turn) {
        events.push(event);
        if (events.length % 100 === 0) await Bun.sleep(1);
      }
      expect(await turn.result).toMatchObject({ outcome: "done", text: floodWord.repeat(floodCount) });
      expectWholeMessages(events);
    });

    test("whoever stops reading early still gets the result", async () => {
      await using session = subject.backend.open(await requestAtHome());
      const turn = session.turn("greet");
      for await (const _ of turn) break;
      expect(await turn.result).toMatchObject({ outcome: "done", text: "Hello there, and welcome." });
    });

    test("[R-RUN-6] sessions in several directories work at once, each in its own", async () => {
      const requests = await Promise.all(Array.from({ length: 4 }, () => request()));
      const heard = await Promise.all(
        requests.map(async (asked) => {
          await using session = subject.backend.open(asked);
          return await hear(session.turn("make a file"));
        }),
      );
      expect(new Set(heard.map(sessionOf)).size).toBe(4);
      for (const { events, result } of heard) {
        expect(result).toMatchObject({ outcome: "done", text: "The file is made." });
        expect(events.filter(({ type }) => type === "tool.complete")).toHaveLength(1);
        expectWholeMessages(events);
      }
      for (const { directory } of requests) expect(await readFile(join(directory, "made.txt"), "utf8")).toBe("made");
    });

    test("a connection that is cut makes the turn fail as connection, and what was said is kept", async () => {
      await using session = subject.backend.open(await requestAtHome());
      // An agent that has just started may read its first answer too slowly to get any of it before the cut.
      await hear(session.turn("greet"));
      const { events, result } = await hear(session.turn("be cut"));
      expect(result).toMatchObject({ outcome: "failed", failure: { reason: "connection" } });
      expect(events.some((event) => event.type === "message.complete" && event.text.startsWith("I am"))).toBe(true);
      expectWholeMessages(events);
    });

    patternConformance({ subject: () => subject, request, requestAtHome, verdict, output: verdictSchema });

    test("[A-BACK-1, R-BACK-3] what was seen of this backend stands in the guide", async () => {
      await sightings.compare();
    });

    test("[R-BACK-6] a backend that is closed ends its turns and leaves no process", async () => {
      const former = await ownProcesses();
      const other = await make(script);
      const asked = { ...(await request()), ...other.request };
      await using session = other.backend.open(asked);
      const turn = session.turn("sleep");
      await whenWritten(asked.directory, "session.pid");
      const mine = (await ownProcesses()).filter((pid) => !former.includes(pid));
      expect(mine).not.toEqual([]);
      await other[Symbol.asyncDispose]();
      expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
      expect((await ownProcesses()).filter((pid) => mine.includes(pid))).toEqual([]);
    });
  });
}

const toolEnds = (events: AgentEvent[]) =>
  events.flatMap((event) => (event.type === "tool.complete" ? [event.tool] : []));

const sessionOf = ({ events }: Pick<Heard, "events">) =>
  events[0]?.type === "session.start" ? events[0].session.id : "";

/** Every delta belongs to a message that ends, and that message is the sum of its deltas. */
function expectWholeMessages(events: AgentEvent[]): void {
  const sums = new Map<string, string>();
  const wholes = new Map<string, string>();
  for (const event of events) {
    if (event.type === "message.delta") {
      expect(wholes.has(event.messageId)).toBe(false);
      sums.set(event.messageId, (sums.get(event.messageId) ?? "") + event.delta);
    }
    if (event.type === "message.complete") {
      expect(wholes.has(event.messageId)).toBe(false);
      wholes.set(event.messageId, event.text);
    }
  }
  expect(wholes).toEqual(sums);
}

/** Resolves when a tool has written something to the file; a test that waits in vain fails by its own limit. */
async function whenWritten(directory: string, file: string): Promise<void> {
  while ((await readFile(join(directory, file), "utf8").catch(() => "")) === "") await Bun.sleep(10);
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // A dead process stays a zombie until its parent looks.
  return stat !== null && !/\) [ZX] /.test(stat);
}

/** The agents' processes that this process is to answer for. */
async function ownProcesses(): Promise<number[]> {
  return (await findMarked((mark) => parseMark(mark)?.pid === process.pid)).map(({ pid }) => pid);
}
