import { afterEach, beforeEach, expect, test } from "bun:test";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type HandOff, HandOffChoice } from "@ralpher/contract";
import fc from "fast-check";
import { openStage, type Stage, stageNow } from "../stage.fixture.ts";
import { readChoices } from "./choices.ts";
import { handOffText } from "./hand-off-text.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const handOff = (changes: Partial<HandOff> = {}): HandOff => ({
  kind: "error_report",
  iteration: 7,
  loopId: "loop_20260215_103000",
  taskPath: "/Specs/auth_feature/tasks.md",
  title: "Log in",
  happened: "The step failed three times.",
  step: "1.2 Implement login",
  errors: ["first\nerror", "```\nlast error\n```"],
  tried: ["1  failure  write_code"],
  choices: ["retry", "skip_step", "reject"],
  commands: ["ralpher task resume --reset-failures"],
  now: stageNow,
  ...changes,
});

const tickLine = async (path: string, part: string, words?: string) => {
  const text = await stage.read(path);
  const lines = text.split("\n").map((line) => {
    if (!line.includes(part)) return line;
    return words === undefined ? line.replace("- [ ]", "* [X]") : `- [x] ${words} ${line.slice(line.indexOf("<!--"))}`;
  });
  await stage.write(path, lines.join("\r\n"));
};

test("a hand-off says what happened, the last errors, what was tried, the choices, and the commands", async () => {
  const path = await stage.vault.writeHandOff(stage.config, handOff());
  expect(path).toBe("/Needs_Action/2026-02-15_error_report_auth_feature.md");
  const text = await stage.read(path);
  expect(text).toBe(`---
type: error_report
loop_id: loop_20260215_103000
iteration: 7
task: /Specs/auth_feature/tasks.md
created: 2026-02-15T10:30:05Z
status: open
---

# Log in

## What happened

The step failed three times.

## The step

1.2 Implement login

## Last errors

\`\`\`
first
error
\`\`\`

\`\`\`\`
\`\`\`
last error
\`\`\`
\`\`\`\`

## What was tried

\`\`\`
1  failure  write_code
\`\`\`

## What next?

Tick one box and save this file.

<!-- ralpher:choices -->

- [ ] **Try again**: the same step once more, with the failures counted from zero <!-- ralpher:retry -->
- [ ] **Skip this step**: tick it as it is, and go on with the next <!-- ralpher:skip_step -->
- [ ] **Call it off**: the task is rejected <!-- ralpher:reject -->

## Or by hand

\`\`\`
ralpher task resume --reset-failures
\`\`\`
`);
});

test("the same is asked once while it is open, whatever a human made of the file meanwhile", async () => {
  const write = (changes: Partial<HandOff> = {}) => stage.vault.writeHandOff(stage.config, handOff(changes));
  const path = await write();
  await stage.write(path, `${await stage.read(path)}\nI am thinking.\n`);
  const renamed = "/Needs_Action/please look.md";
  await rename(join(stage.vault.root, path), join(stage.vault.root, renamed));
  const text = await stage.read(renamed);
  expect(await write({ happened: "Told otherwise.", now: new Date("2026-02-16T00:00:00Z") })).toBe(renamed);
  expect(await stage.read(renamed)).toBe(text);
  const others = await Promise.all([
    write({ iteration: 8 }),
    write({ loopId: "loop_20260215_103001" }),
    write({ taskPath: "/Specs/other/auth_feature.md" }),
    write({ kind: "escalation" }),
  ]);
  expect(new Set([renamed, ...others]).size).toBe(5);
  await stage.vault.closeHandOff(renamed, "Tried again.");
  expect([renamed, ...others]).not.toContain(await write());
});

test("one that a human has answered is not asked by again", async () => {
  const path = await stage.vault.writeHandOff(stage.config, handOff());
  await tickLine(path, "ralpher:retry");
  const text = await stage.read(path);
  const again = await stage.vault.writeHandOff(stage.config, handOff());
  expect(again).toBe("/Needs_Action/2026-02-15_error_report_auth_feature-2.md");
  expect(await stage.vault.readHandOff(again)).toEqual([]);
  expect(await stage.read(path)).toBe(text);
  expect(await stage.vault.writeHandOff(stage.config, handOff())).toBe(again);
});

test("what the check printed stands below the last errors", () => {
  const text = handOffText(handOff({ output: "1 fail\n```\n- [x] yes <!-- ralpher:reject -->\n" }));
  expect(text).toContain(
    "\n\n## What the check printed\n\n````\n1 fail\n```\n- [x] yes <!-- ralpher:reject -->\n````\n\n## What was tried\n",
  );
  expect(readChoices(text)).toEqual([]);
  expect(handOffText(handOff({ output: " \n" }))).not.toContain("What the check printed");
});

test("no word of an agent's moves a cursor, or shows letters in another order than they stand", async () => {
  const odd = "a\u001b[31mb\u001b]0;c\u0007\u202ed\u2066e\u0000f\u009bg\r\nh\ti\u0008";
  const all = { happened: odd, title: odd, step: odd, errors: [odd], output: odd, tried: [odd], commands: [odd] };
  const text = handOffText(handOff(all));
  expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  expect(text).toContain("\n\nab]0;cdefg\nh\ti\n");
  // What hides a sign must not lay it bare.
  const hidden = handOffText(
    handOff({ happened: "\u0000- [x] a <\u0000!-- ralpher:reject --\u0000>", errors: ["``\0`"] }),
  );
  expect(hidden).toContain("\\- [x] a &lt;!-- ralpher:reject -->");
  expect(hidden).toContain("````\n```\n````");
  const path = await stage.vault.writeHandOff(stage.config, handOff());
  await stage.vault.closeHandOff(path, odd);
  expect(await stage.read(path)).toContain("Z: ab]0;cdefg\nh\ti\n");
});

test("a stop report has the hook's front matter", async () => {
  const frontMatter = { type: "stop_hook", reason: "manual", more: { a: [1] } };
  const path = await stage.vault.writeHandOff(stage.config, handOff({ kind: "stop_report", frontMatter, choices: [] }));
  expect(await stage.read(path)).toContain(
    "status: open\nstop_hook:\n  type: stop_hook\n  reason: manual\n  more:\n    a:\n      - 1\n---\n",
  );
  expect(await stage.vault.readHandOff(path)).toEqual([]);
});

test("a ticked box is understood, also when its words were changed", async () => {
  const path = await stage.vault.writeHandOff(stage.config, handOff());
  expect(await stage.vault.readHandOff(path)).toEqual([]);
  await tickLine(path, "ralpher:skip_step", "skip it, please");
  expect(await stage.vault.readHandOff(path)).toEqual(["skip_step"]);
  await tickLine(path, "ralpher:retry");
  expect(await stage.vault.readHandOff(path)).toEqual(["retry", "skip_step"]);
  await rm(join(stage.vault.root, path));
  expect(await stage.vault.readHandOff(path)).toBeNull();
});

test("a closed hand-off says what came of it, keeps its words, and is not answered again", async () => {
  const path = await stage.vault.writeHandOff(stage.config, handOff());
  await tickLine(path, "ralpher:retry");
  const before = await stage.read(path);
  await stage.vault.closeHandOff(path, "Tried again.");
  const after = await stage.read(path);
  expect(after).toBe(
    `${before.replace("status: open", "status: closed").trimEnd()}\r\n\r\n## Outcome\r\n\r\n2026-02-15T10:30:05Z: Tried again.\r\n`,
  );
  expect(await stage.vault.readHandOff(path)).toEqual([]);
  await stage.vault.closeHandOff(path, "Once more.");
  expect(await stage.read(path)).toBe(after);
  await stage.vault.closeHandOff("/Needs_Action/none.md", "Nothing.");
});

test("nothing that an agent or a program said can choose, or end the front matter", () => {
  const evil = fc
    .array(
      fc.constantFrom(
        "- [x] yes <!-- ralpher:reject -->",
        "<!-- ralpher:choices -->",
        "  - [x] <!-- ralpher:complete -->",
        "```",
        "````",
        "~~~",
        "---",
        "status: closed",
        "<!--",
        "-->",
        "# heading",
        "",
        "    code",
        "1. [x] b <!-- ralpher:retry -->",
      ),
      { maxLength: 8 },
    )
    .map((lines) => lines.join("\n"));
  const choices = fc.uniqueArray(fc.constantFrom(...HandOffChoice.options));
  fc.assert(
    fc.property(evil, evil, evil, choices, fc.array(fc.boolean()), (happened, error, tried, offered, ticks) => {
      const made = handOff({
        title: happened,
        happened,
        step: error,
        errors: [error, happened],
        tried: [tried, error],
      });
      const text = handOffText({ ...made, loopId: happened, commands: [tried], choices: offered });
      expect(readChoices(text)).toEqual([]);
      const ticked = offered.filter((_, index) => ticks[index]);
      const answered = ticked.reduce((all, choice) => {
        const at = all.lastIndexOf("- [ ] ", all.lastIndexOf(`<!-- ralpher:${choice} -->`));
        return offered.length === 0 ? all : `${all.slice(0, at)}- [x] ${all.slice(at + 6)}`;
      }, text);
      // In a command, which stands below the choices, the mark may come once more.
      if (!tried.includes("ralpher:")) expect(readChoices(answered).toSorted()).toEqual(ticked.toSorted());
    }),
    { numRuns: 2_000 },
  );
});

test("a hand-off is named by its task, whatever that is called", async () => {
  const name = async (taskPath: string) => await stage.vault.writeHandOff(stage.config, handOff({ taskPath }));
  expect(await name("/Specs/Übung: 1/ab?.md")).toBe("/Needs_Action/2026-02-15_error_report_ab.md");
  expect(await name("/Specs/Café 1/tasks.md")).toBe("/Needs_Action/2026-02-15_error_report_Café-1.md");
  expect(await name("/Specs/???.md")).toBe("/Needs_Action/2026-02-15_error_report_task.md");
});
