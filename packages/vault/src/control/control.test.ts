import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFault } from "@ralpher/contract";
import { faultOf, openStage, type Stage } from "../stage.fixture.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const hook = "/Control/STOP_AUTONOMOUS_LOOP";
const prompt = "/Control/reinject_prompt.md";

test("the stop hook is written in the seed's form, and read with its front matter", async () => {
  expect(await stage.vault.readStopHook(stage.config)).toBeNull();
  const path = await stage.vault.writeStopHook(stage.config, 'It is: "late"\nand dark');
  expect(path).toBe(hook);
  const text = await stage.read(hook);
  expect(text).toStartWith(
    "---\ntype: stop_hook\ncreated: 2026-02-15T10:30:05Z\nreason: 'It is: \"late\"'\n---\n\n# Stop Autonomous Loop\n",
  );
  expect(text).toContain('## Reason for Stopping\n\nIt is: "late"\nand dark\n\n## Current Status\n');
  expect(text).toContain("- Resume: Delete this file and restart loop");
  expect(await stage.vault.readStopHook(stage.config)).toMatchObject({
    path: hook,
    frontMatter: { type: "stop_hook", created: "2026-02-15T10:30:05Z", reason: 'It is: "late"' },
    problem: null,
  });
  await stage.vault.removeStopHook(stage.config);
  expect(await stage.vault.readStopHook(stage.config)).toBeNull();
  await stage.vault.removeStopHook(stage.config);
});

test("a human's stop hook is not written over, and may have the ending that editors of notes give it", async () => {
  await stage.write(`${hook}.md`, "---\nreason: mine\n---\nStop.\n");
  expect(await stage.vault.writeStopHook(stage.config, "other")).toBe(`${hook}.md`);
  expect(await stage.vault.readStopHook(stage.config)).toEqual({
    path: `${hook}.md`,
    frontMatter: { reason: "mine" },
    content: "Stop.",
    problem: null,
  });
  await stage.vault.removeStopHook(stage.config);
  expect(await stage.vault.readStopHook(stage.config)).toBeNull();
});

test.each([
  ["nothing", "", null],
  ["front matter that is no YAML", "---\na: [\n---\n", 3],
  ["front matter that is never closed", "---\nreason: x\n", 1],
  ["front matter that is a list", "---\n- a\n---\n", 2],
  ["bytes that are no text", Uint8Array.of(0xff, 0xfe), undefined],
] as const)("a stop hook of %s stops, with a problem if it has one", async (_name, text, line) => {
  await stage.write(hook, text);
  const read = await stage.vault.readStopHook(stage.config);
  if (line === null) expect(read?.problem).toBeNull();
  else expect(read?.problem).toMatchObject({ path: hook, ...(line === undefined ? {} : { line }) });
});

test("a folder of that name stops, too", async () => {
  await mkdir(join(stage.vault.root, hook));
  expect((await stage.vault.readStopHook(stage.config))?.problem?.message).toBe("it is a folder");
  const fault = await stage.vault.removeStopHook(stage.config).catch((error: unknown) => error);
  if (!isFault(fault, "vault_unusable")) throw new Error("removed", { cause: fault });
  expect(fault.message).toBe(`${hook} in the vault cannot be used: it is a folder: remove it by hand.`);
  expect(await readdir(join(stage.vault.root, hook))).toEqual([]);
});

test("a control folder that leads out of the vault has no stop hook, and none is removed there", async () => {
  const control = join(stage.vault.root, "Control");
  const outside = join(stage.folder, "outside");
  await rename(control, outside);
  await symlink(outside, control);
  const file = join(outside, "STOP_AUTONOMOUS_LOOP");
  await writeFile(file, "");
  const { vault, config } = stage;
  for (const work of [() => vault.readStopHook(config), () => vault.removeStopHook(config)]) {
    expect(await faultOf("vault_unusable", work())).toMatchObject({ detail: "it leads out of the vault" });
  }
  expect(await readdir(outside)).toContain("STOP_AUTONOMOUS_LOOP");
});

test("a stop hook that is a link out of the vault stops, and the link alone is removed", async () => {
  const file = join(stage.folder, "elsewhere");
  await writeFile(file, "reason");
  await symlink(file, join(stage.vault.root, hook));
  expect((await stage.vault.readStopHook(stage.config))?.problem?.message).toContain("it leads out of the vault");
  await stage.vault.removeStopHook(stage.config);
  expect(await stage.vault.readStopHook(stage.config)).toBeNull();
  expect(await readFile(file, "utf8")).toBe("reason");
});

const seedPrompt = `---
type: reinject_prompt
created: 2026-02-15T10:40:00Z
priority: high
---

# Reinjected Prompt

## Additional Context

We're now using OAuth2 instead of JWT.

## References

- [[Specs/auth_feature_updated.md]]

---

**This prompt will be injected into the next iteration.**

Delete this file after it's been processed.
`;

test("[T-INJ-3] a prompt of the seed's form is read without the words that are for humans, then deleted", async () => {
  await stage.write(prompt, seedPrompt);
  const read = await stage.vault.readReinjection(stage.config);
  if (read === null || "problem" in read) throw new Error("not read");
  expect(read.file.frontMatter).toEqual({
    type: "reinject_prompt",
    created: "2026-02-15T10:40:00Z",
    priority: "high",
  });
  expect(read.file.content).toStartWith("# Reinjected Prompt\n");
  expect(read.file.content).toEndWith("- [[Specs/auth_feature_updated.md]]");
  await stage.vault.removeReinjection(stage.config, read.sha);
  expect(await stage.vault.readReinjection(stage.config)).toBeNull();
  await stage.vault.removeReinjection(stage.config, read.sha);
});

test("a prompt that was changed since it was read stays", async () => {
  await stage.write(prompt, "one");
  const read = await stage.vault.readReinjection(stage.config);
  if (read === null || "problem" in read) throw new Error("not read");
  await stage.write(prompt, "another");
  await stage.vault.removeReinjection(stage.config, read.sha);
  expect(await stage.read(prompt)).toBe("another");
  expect(await readdir(join(stage.vault.root, "Control"))).toHaveLength(3);
});

test.each([
  ["---\nkey: [\n---\nDo.\n", 3],
  ["---\nkey: a\nDo.\n", 1],
  ["---\ntype: reinject_prompt\n---\n\n", undefined],
  ["", undefined],
])("[T-INJ-3] a malformed prompt %j is a problem, and stays", async (text, line) => {
  await stage.write(prompt, text);
  const read = await stage.vault.readReinjection(stage.config);
  if (read === null || !("problem" in read)) throw new Error("taken for a prompt");
  expect(read.problem.path).toBe(prompt);
  expect(read.problem.line).toBe(line as never);
  expect(await stage.read(prompt)).toBe(text);
});

test("plain words are a prompt", async () => {
  await stage.write(prompt, "Use OAuth2.\r\n");
  expect(await stage.vault.readReinjection(stage.config)).toMatchObject({
    file: { path: prompt, frontMatter: {}, content: "Use OAuth2." },
  });
});

test("what is said while a prompt waits comes below it", async () => {
  expect(await stage.vault.writeReinjection(stage.config, "First.", { priority: "high" })).toBe(prompt);
  expect(await stage.read(prompt)).toStartWith(
    "---\ntype: reinject_prompt\ncreated: 2026-02-15T10:30:05Z\npriority: high\n---\n\n# Reinjected Prompt\n",
  );
  await stage.vault.writeReinjection(stage.config, "Second.");
  const read = await stage.vault.readReinjection(stage.config);
  if (read === null || "problem" in read) throw new Error("not read");
  expect(read.file.frontMatter.priority).toBe("high");
  expect(read.file.content).toBe(
    "# Reinjected Prompt\n\n## Additional Context\n\nFirst.\n\n## Additional Context\n\nSecond.",
  );
});

test("of prompts written while others are taken away, each is read once", async () => {
  const { vault, config } = stage;
  const all = Array.from({ length: 60 }, (_, index) => `<${index}>`);
  const heard: string[] = [];
  const take = async () => {
    const read = await vault.readReinjection(config);
    if (read === null || "problem" in read) return;
    await vault.removeReinjection(config, read.sha);
    const left = await vault.readReinjection(config);
    // One that was added to meanwhile stays.
    const isTaken = left === null || !("file" in left) || !left.file.content.startsWith(read.file.content);
    if (isTaken) heard.push(...(read.file.content.match(/<\d+>/g) ?? []));
  };
  const writing = (async () => {
    for (const text of all) await vault.writeReinjection(config, text);
  })();
  let isWritten = false;
  void writing.then(() => {
    isWritten = true;
  });
  while (!isWritten) {
    await take();
    await new Promise(setImmediate);
  }
  await writing;
  await take();
  expect(heard.toSorted()).toEqual(all.toSorted());
});
