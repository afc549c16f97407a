import { expect, test } from "bun:test";
import { TaskConfig, type VaultLook, wholeLook } from "@ralpher/contract";
import { stored, story, toolCall } from "../../test/events.ts";
import { appendToLog, emptyLog, type LogEntry, prependToLog, trimLog } from "./log.ts";

const shape = (entries: LogEntry[]) => entries.map(({ kind, iteration }) => `${kind} ${iteration}`);

test("[R-WEB-3] the log is the loop's own lines, its iterations as headers, and what the agent did in them", () => {
  const log = appendToLog(emptyLog, story());
  expect(shape(log.entries)).toEqual([
    "milestone 0",
    "milestone 0",
    "milestone 0",
    "iteration 1",
    "prompt 1",
    "text 1",
    "reads 1",
    "tool 1",
    "commit 1",
    "iteration 2",
    "prompt 2",
  ]);
});

test("[R-WEB-3] consecutive reads are one entry that keeps its key while it grows", () => {
  const [first, second] = story().slice(7, 9);
  if (first === undefined || second === undefined) throw new Error("the story has two reads");
  const one = appendToLog(emptyLog, [first]);
  const two = appendToLog(one, [second]);
  expect(two.entries.map(({ kind }) => kind)).toEqual(["iteration", "reads"]);
  expect(two.entries.at(-1)?.key).toBe(one.entries.at(-1)?.key as string);
});

test("a failed read stays a line of its own", () => {
  const failed = toolCall("x", "Read", { file_path: "/gone" }, { status: "error", output: "no such file" });
  const log = appendToLog(emptyLog, [
    ...story().slice(0, 8),
    stored(20, { type: "loop.tool_call", iteration: 1, tool: failed }),
  ]);
  expect(log.entries.slice(-2).map(({ kind }) => kind)).toEqual(["tool", "tool"]);
});

test("[R-WEB-3] events that come again change nothing, not even the log's identity", () => {
  const log = appendToLog(emptyLog, story());
  expect(appendToLog(log, story().slice(3, 9))).toBe(log);
});

test("[R-WEB-3] wherever the log is cut into pages, older pages in front give the whole log again", () => {
  const events = story();
  const whole = appendToLog(emptyLog, events);
  for (let cut = 1; cut < events.length; cut += 1) {
    const newest = appendToLog(emptyLog, events.slice(cut));
    const joined = prependToLog(newest, events.slice(0, cut));
    expect(joined.entries).toEqual(whole.entries);
    expect(joined.iterations).toEqual(whole.iterations);
  }
});

test("a page that begins in the middle of an iteration has that iteration's header", () => {
  const log = appendToLog(emptyLog, story().slice(8));
  expect(log.entries[0]).toMatchObject({ kind: "iteration", iteration: 1 });
  expect(log.iterations.get(1)?.startedAt ?? null).toBeNull();
});

test("what the log knows of an iteration: its times, outcome, tools, commits and tokens", () => {
  const { iterations } = appendToLog(emptyLog, story());
  expect(iterations.get(1)).toEqual({
    startedAt: Date.parse("2026-03-01T10:00:05.000Z"),
    endedAt: Date.parse("2026-03-01T10:00:15.000Z"),
    outcome: "continue",
    commits: 1,
    tools: 4,
    usage: { inputTokens: 100, outputTokens: 20, costUsd: null },
  });
});

test("keys are unique also when a second attempt uses the same message ids", () => {
  const again = story()
    .filter(({ type }) => type === "loop.message" || type === "loop.tool_call")
    .map((event, index) => ({ ...event, seq: 100 + index }));
  const { entries } = appendToLog(appendToLog(emptyLog, story().slice(0, 15)), again);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
});

test("a turn that failed says why in words", () => {
  const failure = { reason: "rate_limited", message: "429" } as const;
  const usage = { inputTokens: null, outputTokens: null, costUsd: null };
  const log = appendToLog(emptyLog, [
    stored(1, { type: "loop.turn.end", iteration: 1, promised: false, failure, usage }),
  ]);
  expect(log.entries.at(-1)).toMatchObject({
    kind: "milestone",
    meaning: "bad",
    text: "The turn failed: the model's provider limits how often it answers. 429",
  });
});

test("[R-WEB-3] what a human says stands in the log, and stays there when it is taken back", () => {
  const said = stored(20, { type: "loop.said", text: "Use tabs", now: false });
  const log = appendToLog(emptyLog, [...story(), said]);
  expect(log.entries.at(-1)).toMatchObject({ kind: "said", text: "Use tabs", takenBack: false });
  const after = appendToLog(log, [stored(21, { type: "loop.unsaid", said: 20 })]);
  expect(after.entries.at(-1)).toMatchObject({ kind: "said", text: "Use tabs", takenBack: true });
  expect(after.entries).toHaveLength(log.entries.length);
});

test("a log that forgot its beginning shows its end as before", () => {
  const log = appendToLog(emptyLog, story());
  const short = trimLog(log, 6);
  expect(short.events).toHaveLength(6);
  expect(short.entries.at(-1)).toEqual(log.entries.at(-1) as LogEntry);
  expect(trimLog(log, 100)).toBe(log);
});

const look = (more: Partial<VaultLook> = {}): VaultLook => ({
  config: TaskConfig.parse({}),
  place: "open",
  path: "/Specs/a.md",
  title: "A",
  isDone: false,
  steps: [],
  counts: { done: 0, all: 2 },
  doubted: [],
  carried: {},
  isMarkDoubted: false,
  unreadable: null,
  stopHook: null,
  problems: [],
  ...more,
});
const looked = (seq: number, found: VaultLook | null) =>
  stored(seq, {
    type: "loop.vault.looked",
    ...(found === null ? { look: null, steps: null, toggled: [] } : wholeLook(found)),
  });

test("a look at a vault is a line only when it found something new, wherever the log is cut", () => {
  const stopHook = { path: "/Control/STOP", reason: "later", frontMatter: {} };
  const events = [
    looked(30, look()),
    looked(31, null),
    looked(32, look({ counts: { done: 1, all: 2 } })),
    looked(33, look({ counts: { done: 1, all: 2 }, stopHook })),
    looked(34, null),
    looked(35, look({ counts: { done: 1, all: 2 } })),
  ];
  const seqs = (entries: LogEntry[]) => entries.map(({ seq }) => seq);
  const whole = appendToLog(emptyLog, events);
  expect(seqs(whole.entries)).toEqual([33, 35]);
  expect(whole.entries.at(-1)).toMatchObject({ kind: "task", before: { stopHook } });
  for (let cut = 1; cut < events.length; cut += 1) {
    expect(appendToLog(appendToLog(emptyLog, events.slice(0, cut)), events.slice(cut)).entries).toEqual(whole.entries);
    const joined = prependToLog(appendToLog(emptyLog, events.slice(cut)), events.slice(0, cut));
    expect(joined.entries).toEqual(whole.entries);
  }
});
