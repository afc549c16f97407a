import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatCost, formatCount, plural, tokensOf } from "./count.ts";
import { cutMiddle, cutPath, firstLine, lastLine, pathFrom } from "./cut.ts";
import { formatDuration, formatElapsed } from "./duration.ts";
import { exactTime, formatAgo, formatClock, formatClockSeconds, formatUntil, zoneOf } from "./time.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test("durations have their unit, and as many figures as matter", () => {
  expect(
    [0, 80, 450, 4_230, 9_960, 59_400, 59_600, 125 * second, hour, hour + 4 * minute, 3 * day + 2 * hour].map(
      formatDuration,
    ),
  ).toEqual([
    "0 ms",
    "80 ms",
    "0.5 s",
    "4.2 s",
    "10 s",
    "59 s",
    "1 m 00 s",
    "2 m 05 s",
    "1 h 00 m",
    "1 h 04 m",
    "3 d 02 h",
  ]);
});

test("what still runs counts in whole seconds", () => {
  expect([-5, 900, 59_999, minute].map(formatElapsed)).toEqual(["0 s", "0 s", "59 s", "1 m 00 s"]);
});

test("counts keep three figures, and never round up to four", () => {
  expect(
    [0, 999, 1_000, 12_449, 99_949, 99_950, 317_600, 999_499, 999_500, 1_240_000, 123_400_000].map(formatCount),
  ).toEqual(["0", "999", "1.0k", "12.4k", "99.9k", "100k", "318k", "999k", "1.0M", "1.2M", "123M"]);
});

test("unknown is a dash and never 0", () => {
  expect(formatCost(null)).toBe("–");
  expect([0, 0.004, 0.42, 12, 1_204.4].map(formatCost)).toEqual(["$0", "<$0.01", "$0.42", "$12.00", "$1,204"]);
  expect(tokensOf({ inputTokens: null, outputTokens: null, costUsd: 1 })).toBeNull();
  expect(tokensOf({ inputTokens: null, outputTokens: 7, costUsd: null })).toBe(7);
});

test("one file, many files", () => {
  expect([plural(1, "file"), plural(0, "file"), plural(1_200, "try", "tries")]).toEqual([
    "1 file",
    "0 files",
    "1,200 tries",
  ]);
});

test("times are relative until a week, then dates", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const ago = [0, 12 * second, 4 * minute, 3 * hour, 2 * day, 10 * day, 400 * day].map((past) =>
    formatAgo(now - past, now),
  );
  expect(ago).toEqual(["now", "12 s ago", "4 m ago", "3 h ago", "2 d ago", "11 Nov", "17 Oct 2025"]);
  expect([-second, 12 * second, 90 * second, 3 * hour].map((left) => formatUntil(now + left, now))).toEqual([
    "now",
    "in 12 s",
    "in 2 m",
    "in 3 h",
  ]);
});

test("dates and times of day read as the browser's own formatters write them", () => {
  const own = (options: Intl.DateTimeFormatOptions, at: number) => new Intl.DateTimeFormat("en-GB", options).format(at);
  const clock = { hour: "2-digit", minute: "2-digit" } as const;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2090, 0) }), (at) => {
      expect(formatClock(at)).toBe(own(clock, at));
      expect(formatClockSeconds(at)).toBe(own({ ...clock, second: "2-digit" }, at));
      expect(exactTime(at)).toStartWith(own({ dateStyle: "full", timeStyle: "medium" }, at));
      expect(formatAgo(at, at + 400 * day)).toBe(own({ day: "numeric", month: "short", year: "numeric" }, at));
    }),
  );
});

test("a zone is told by its distance to UTC", () => {
  expect([0, 60, 330, -210, -480].map(zoneOf)).toEqual(["UTC", "UTC+1", "UTC+5:30", "UTC−3:30", "UTC−8"]);
});

test("cutting the middle keeps both ends and the length asked for", () => {
  expect(cutMiddle("abcdefghij", 7)).toBe("abc…hij");
  expect(cutMiddle("short", 7)).toBe("short");
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60 }), fc.integer({ min: 3, max: 40 }), (text, most) => {
      const cut = cutMiddle(text, most);
      expect(cut.length).toBe(Math.min(text.length, most));
      expect(cut.at(0)).toBe(text.at(0) as string);
      expect(cut.at(-1)).toBe(text.at(-1) as string);
    }),
  );
});

test("a path is cut between folders, and its last name stays whole while it fits", () => {
  const path = "/home/ada/projects/shop/packages/parser/src/lexer.ts";
  expect(cutPath(path, 40)).toBe("/home/ada/projects/shop/…/src/lexer.ts");
  expect(cutPath(path, 20)).toBe("/home/ada/…/lexer.ts");
  expect(cutPath("/a/averyveryverylongfilename.ts", 12).length).toBe(12);
  expect(cutPath("/short/path.ts", 30)).toBe("/short/path.ts");
});

test("a path inside the folder is shown from there, one that only begins alike is not", () => {
  expect([
    pathFrom("/data/a", "/data/a/src/x.ts"),
    pathFrom("/data/a", "/data/ab/x.ts"),
    pathFrom(null, "/x"),
    pathFrom("/x", "/x"),
  ]).toEqual(["src/x.ts", "/data/ab/x.ts", "/x", "."]);
});

test("first and last lines skip empty ones", () => {
  expect(firstLine("\n  \n hello\nworld\n")).toBe("hello");
  expect(lastLine("hello\nworld \n\n  \n")).toBe("world");
  expect([firstLine(""), lastLine(" \n ")]).toEqual(["", ""]);
});
