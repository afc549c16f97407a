import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentBackend,
  type AgentEvent,
  type FailureReason,
  Script,
  type SessionRequest,
  type Turn,
  type TurnResult,
} from "@ralpher/contract";
import { parseMark } from "./process/mark.ts";
import { findMarked } from "./process/marked.ts";

/** A backend under test, whose model plays a script. Disposing it disposes the backend. */
export interface Subject extends AsyncDisposable {
  backend: AgentBackend;
  /** What leads a session of this backend to the script. */
  request: Pick<SessionRequest, "backend" | "model">;
  /** The same with a model that does not exist; absent when the backend has no models. */
  wrongModel?: Pick<SessionRequest, "backend" | "model">;
  /** How much of the conversation the model was given with each request of a session so far. */
  contextSizes(sessionId: string): number[];
}

const floodWord = "word ";
const floodCount = 20_000;

const script = Script.parse({
  conversations: [
    {
      when: "make a file",
      steps: [
        {
          reasoning: "A file is wanted.",
          text: "I will make it. <promise>COMPLETE</promise>",
          tools: [{ name: "write", input: { filePath: "made.txt", content: "made" } }],
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
          tools: [
            {
              name: "bash",
              input: {
                command: "echo $$ > plain.pid; setsid sleep 1000 & echo $! > session.pid; sleep 1000",
                description: "Sleep",
              },
            },
          ],
        },
        { text: "I woke." },
      ],
    },
    {
      when: "print a lot",
      steps: [
        { tools: [{ name: "bash", input: { command: "yes $(printf %0100d 0) | head -n 400", description: "Print" } }] },
      ],
    },
    { when: "fall silent", steps: [{ text: "I fall", fault: { kind: "stall" } }] },
    { when: "be cut", steps: [{ text: "I am cut off in the middle", fault: { kind: "cut" } }] },
    { when: "overflow", steps: [{ fault: { kind: "overflow" } }] },
    ...[401, 403, 429, 500].map((status) => ({
      when: `status ${status}`,
      steps: [{ fault: { kind: "status", status, retryAfterSeconds: 0 } }],
    })),
    { when: "greet", steps: [{ text: "Hello there, and welcome." }] },
  ],
});

interface Heard {
  events: AgentEvent[];
  result: TurnResult;
}

/**
 * What every backend must do, as tests. `make` gives a backend whose model plays the script; one serves all tests but the
 * last.
 */
export function agentConformance(name: string, make: (script: Script) => Promise<Subject>): void {
  describe(`${name} as an agent`, () => {
    // Real agents on a busy machine; the tests themselves wait for nothing.
    setDefaultTimeout(60_000);
    let subject: Subject;
    let root: string;
    let directories = 0;
    // Agents with retries of their own take more than a minute over it, so that it begins first and is looked at last.
    let cut: Promise<Heard>;

    beforeAll(async () => {
      root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-agent-")));
      subject = await make(script);
      cut = run("be cut");
    });
    afterAll(async () => {
      await subject[Symbol.asyncDispose]();
      await rm(root, { recursive: true });
    });

    async function request(overrides: Partial<SessionRequest> = {}): Promise<SessionRequest> {
      const directory = join(root, `${directories++}`);
      await mkdir(directory);
      return {
        directory,
        ...subject.request,
        title: "Conformance",
        idleTimeoutMs: 120_000,
        signal: new AbortController().signal,
        ...overrides,
      };
    }

    /** One prompt in a session of its own. */
    async function run(prompt: string, overrides?: Partial<SessionRequest>): Promise<Heard> {
      await using session = subject.backend.open(await request(overrides));
      return await hear(session.turn(prompt));
    }

    /** With a short idle limit, where the agent is at home already: its first prompt in a folder may take it a while. */
    async function runImpatiently(prompt: string): Promise<Heard> {
      const asked = await request();
      await using warm = subject.backend.open(asked);
      await hear(warm.turn("greet"));
      await using session = subject.backend.open({ ...asked, idleTimeoutMs: 2500 });
      return await hear(session.turn(prompt));
    }

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
      expect(result).toEqual({
        outcome: "done",
        text: "Hello there, and welcome.",
        usage: { inputTokens: 100, outputTokens: 20, costUsd: null },
      });
    });

    test("the deltas of a message come in pieces, add up to it, and are followed by it", async () => {
      const { events } = await run("make a file");
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
      expect(starts).toMatchObject([{ name: "write", input: { filePath: "made.txt", content: "made" } }]);
      expect(ends).toMatchObject([{ tool: { id: starts[0]?.callId, name: "write", status: "completed" } }]);
      expect(await readFile(join(asked.directory, "made.txt"), "utf8")).toBe("made");
    });

    test("a large tool output is shortened, and its size is told", async () => {
      const { events } = await run("print a lot");
      const [end] = events.filter((event) => event.type === "tool.complete");
      expect(end?.tool.outputBytes).toBeGreaterThanOrEqual(40_000);
      expect(Buffer.byteLength(end?.tool.output ?? "")).toBeLessThanOrEqual(32 * 1024);
    });

    test("[R-RUN-3] the result's text is the last message only, without reasoning or what was said before", async () => {
      const { result } = await run("make a file");
      expect(result).toMatchObject({ outcome: "done", text: "The file is made." });
    });

    test("[R-RUN-2] every session is a fresh context, and the turns of one session share theirs", async () => {
      await using first = subject.backend.open(await request());
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
      expect(events.at(-1)).toMatchObject({ type: "tool.complete", tool: { status: "error" } });
      expectWholeMessages(events);
      for (const file of ["plain.pid", "session.pid"]) {
        expect(await isRunning(Number(await readFile(join(asked.directory, file), "utf8")))).toBe(false);
      }
    });

    test("an aborted signal ends a turn before it begins", async () => {
      expect(await failure("greet", { signal: AbortSignal.abort() })).toBe("aborted");
    });

    test("closing a session ends its turn", async () => {
      const session = subject.backend.open(await request());
      const turn = session.turn("fall silent");
      for await (const event of turn) if (event.type === "message.delta") break;
      await session[Symbol.asyncDispose]();
      expect(await turn.result).toMatchObject({ outcome: "failed", failure: { reason: "aborted" } });
    });

    test("an agent that falls silent is ended", async () => {
      const { events, result } = await runImpatiently("fall silent");
      expect(result).toMatchObject({ outcome: "failed", failure: { reason: "timeout" } });
      expect(events.at(-1)).toMatchObject({ type: "message.complete", text: "I fall" });
      expectWholeMessages(events);
    });

    test("a tool that prints nothing for too long counts as silence", async () => {
      const { events, result } = await runImpatiently("sleep");
      expect(result).toMatchObject({ outcome: "failed", failure: { reason: "timeout" } });
      expect(events.at(-1)).toMatchObject({ type: "tool.complete", tool: { status: "error" } });
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

    test("[R-BACK-4] a model that does not exist makes the turn fail as model", async () => {
      if (subject.wrongModel !== undefined) expect(await failure("greet", subject.wrongModel)).toBe("model");
      else expect(subject.backend.capabilities.models).toBe(false);
    });

    test(`a flood of ${floodCount} deltas arrives whole, however slow the reader`, async () => {
      await using session = subject.backend.open(await request());
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
      await using session = subject.backend.open(await request());
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
      const { events, result } = await cut;
      expect(result).toMatchObject({ outcome: "failed", failure: { reason: "connection" } });
      expect(events.some((event) => event.type === "message.complete" && event.text.startsWith("I am"))).toBe(true);
      expectWholeMessages(events);
    }, 180_000);

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

async function hear(turn: Turn): Promise<Heard> {
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  return { events, result: await turn.result };
}

const sessionOf = ({ events }: Heard) => (events[0]?.type === "session.start" ? events[0].session.id : "");

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
