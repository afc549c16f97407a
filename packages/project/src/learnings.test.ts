import { expect, test } from "bun:test";
import type { Learning } from "@ralpher/contract";
import fc from "fast-check";
import { findBullets, wordsOf } from "./bullets.ts";
import { mergeLearnings } from "./learnings.ts";

const day = "2026-05-04";
const add = (text: string): Learning => ({ text, action: "add" });
const deprecate = (text: string): Learning => ({ text, action: "deprecate" });

test("[X-6] learnings become bullets under a heading of the day", () => {
  const first = mergeLearnings("", [add("Use bun test."), add("  - The port is\n  free. ")], day);
  expect(first.text).toBe("## 2026-05-04\n\n- Use bun test.\n- The port is free.\n");
  expect(first.added).toEqual(["Use bun test.", "The port is free."]);
  const second = mergeLearnings(first.text, [add("Later")], "2026-05-05");
  expect(second.text).toBe(`${first.text}\n## 2026-05-05\n\n- Later\n`);
  expect(mergeLearnings(second.text, [add("Again")], "2026-05-05").text).toBe(`${second.text}- Again\n`);
});

test("[X-6] what says the same in other letters is not added again", () => {
  const { text } = mergeLearnings("", [add("Use bun test.")], day);
  const same = ["use BUN test", "Use  bun\ttest!", "* Use bun test…", "~~Use bun test~~", "Use bun test"].map(add);
  expect(mergeLearnings(text, same, day)).toEqual({ text, added: [] });
});

test("[O-3] a deprecated learning is struck out at the end, and never comes back", () => {
  const memory = "# Notes\n\nBy hand.\n\n- Keep me\n- Use tabs,\n  always.\n";
  const { text } = mergeLearnings(memory, [deprecate("use tabs, always")], day);
  expect(text).toBe("# Notes\n\nBy hand.\n\n- Keep me\n\n## Deprecated\n\n- ~~Use tabs, always.~~\n");
  expect(mergeLearnings(text, [add("Use tabs, always"), deprecate("Use tabs, always")], day)).toEqual({
    text,
    added: [],
  });
  const more = mergeLearnings(text, [add("New")], day).text;
  expect(more).toBe(
    "# Notes\n\nBy hand.\n\n- Keep me\n\n## 2026-05-04\n\n- New\n\n## Deprecated\n\n- ~~Use tabs, always.~~\n",
  );
  // A day of which nothing is left goes with its last bullet.
  expect(mergeLearnings(more, [deprecate("new")], day).text).toBe(
    "# Notes\n\nBy hand.\n\n- Keep me\n\n## Deprecated\n\n- ~~Use tabs, always.~~\n- ~~New~~\n",
  );
});

test("[O-3] where no bullet says just that, the shortest that holds it is meant, and where none does, nothing", () => {
  const memory = "- The port 80 is free on this machine\n- The port 80 is free\n- Other\n";
  expect(mergeLearnings(memory, [deprecate("port 80")], day).text).toBe(
    "- The port 80 is free on this machine\n- Other\n\n## Deprecated\n\n- ~~The port 80 is free~~\n",
  );
  expect(mergeLearnings(memory, [deprecate("port 8080")], day).text).toBe(memory);
});

test("[X-6] a learning brings no control characters along", () => {
  const { text, added } = mergeLearnings("", [add("Use\x1b[2J \x07bun\u202e test\u2028always\x00")], day);
  expect(added).toEqual(["Use bun test always"]);
  expect(text).toBe("## 2026-05-04\n\n- Use bun test always\n");
});

test("what stands in a block of code is no learning", () => {
  const memory = "```\n- Use tabs\n```\n";
  expect(mergeLearnings(memory, [deprecate("Use tabs")], day).text).toBe(memory);
});

const words = fc.array(fc.constantFrom("use", "Tabs", "never", "~~", "-", "a.", "#", "port", "80"), {
  minLength: 1,
  maxLength: 4,
});
const text = words.map((all) => all.join(" "));
const learning = fc.record<Learning>({ text, action: fc.constantFrom("add", "deprecate") });

test("[X-6, O-3] nothing is lost, nothing is there twice, and saying it again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.array(learning, { maxLength: 6 }), { maxLength: 4 }), (rounds) => {
      let memory = "# By hand\n\n- a learning of a human\n";
      for (const learnings of rounds) {
        const before = findBullets(memory.split("\n")).map((bullet) => bullet.words);
        const merged = mergeLearnings(memory, learnings, day);
        const after = findBullets(merged.text.split("\n")).map((bullet) => bullet.words);
        for (const one of before) expect(after).toContain(one);
        for (const one of merged.added) expect(after).toContain(wordsOf(one));
        expect(new Set(after).size).toBe(after.length);
        const added = learnings.filter(({ action }) => action === "add");
        expect(mergeLearnings(merged.text, added, day)).toEqual({ text: merged.text, added: [] });
        memory = merged.text;
      }
      expect(memory).toStartWith("# By hand\n");
    }),
  );
});
