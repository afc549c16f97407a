import { expect, test } from "bun:test";
import { createOpencodeLog } from "./opencode-log.ts";

const began = Date.parse("2026-01-01T00:00:00Z");
const line = (fields: string, second = 1) => `timestamp=2026-01-01T00:00:0${second}.000Z level=INFO run=1 ${fields}`;
const answer = line("message=process session.id=ses_1 messageID=msg_1");
const attempt = line("message=stream providerID=p modelID=m session.id=ses_1 small=false agent=build mode=primary");
const failed = (words: string) =>
  line(`message="stream error" session.id=ses_1 small=false agent=build error.error="AI_APICallError: ${words}"`);
const read = (...lines: string[]) => {
  const log = createOpencodeLog("ses_1", began);
  return lines.flatMap((one) => log.read(one));
};

test("a try after one that failed is another try, with the words of the first", () => {
  expect(read(answer, attempt, failed('Rate limit \\"a\\" reached.'), attempt)).toEqual([
    { kind: "answer" },
    { kind: "failed", failure: { reason: "rate_limited", message: 'Rate limit "a" reached.' } },
    { kind: "retry", failure: { reason: "rate_limited", message: 'Rate limit "a" reached.' } },
  ]);
});

test("a try that broke off without a word is told by the next", () => {
  expect(read(answer, attempt, attempt)).toMatchObject([
    { kind: "answer" },
    { kind: "retry", failure: { reason: "connection" } },
  ]);
});

test("the next answer begins to count anew", () => {
  expect(read(answer, attempt, answer, attempt)).toEqual([{ kind: "answer" }, { kind: "answer" }]);
});

test("titles, former turns and other lines are none of it; subagents show that there is life", () => {
  expect(
    read(
      attempt.replace("small=false", "small=true"),
      failed("Overloaded").replace("small=false", "small=true"),
      failed("Overloaded").replace("00:00:01", "00:00:00").replace("2026", "2025"),
      "Error handling request {",
      line("message=init count=1"),
    ),
  ).toEqual([]);
  expect(read(attempt.replace("ses_1", "ses_2"))).toEqual([{ kind: "life" }]);
});

test("what is asked for is told", () => {
  expect(read(line('message=asking id=per_1 permission=bash patterns="[\\"ls\\"]"'))).toEqual([
    { kind: "asking", what: "bash" },
  ]);
});
