import { describe, expect, test } from "bun:test";
import { count, cut, duration, plural, printable, short } from "./words.ts";

describe("words on the terminal", () => {
  test("text from elsewhere cannot steer the terminal", () => {
    expect(printable("a\x1b[31mred\x1b[0m\x07 b\x1b]0;title\x07c\r\nd\te\x9b2J")).toBe("ared b]0;titlec\nd\te2J");
    expect(cut("one\ntwo\x1b[2J", 20)).toBe("one two");
    expect(short("\n\n  first\x08 line \nsecond", 20)).toBe("first line");
  });

  test("text from elsewhere cannot show letters in another order, nor break lines by other signs", () => {
    expect(printable("a\u202eb\u202ac\u2066d\u2069e\u2028f\u2029g")).toBe("abcdefg");
    expect(printable("שלום עולם\u200f")).toBe("שלום עולם\u200f");
  });

  test("long text is cut with an ellipsis, and no longer than asked", () => {
    expect(cut("abcdef", 6)).toBe("abcdef");
    expect(cut("abcdefg", 6)).toBe("abcde…");
  });

  test("durations have the unit that suits them", () => {
    expect([0, 850, 3_200, 245_000, 7_380_000].map(duration)).toEqual([
      "0 ms",
      "850 ms",
      "3.2 s",
      "4 min 5 s",
      "2 h 3 min",
    ]);
  });

  test("counts are short, and unknown is not zero", () => {
    expect([null, 0, 950, 12_345, 1_234_567].map(count)).toEqual(["–", "0", "950", "12.3 k", "1.2 M"]);
    expect([plural(1, "file"), plural(2, "file")]).toEqual(["1 file", "2 files"]);
  });
});
