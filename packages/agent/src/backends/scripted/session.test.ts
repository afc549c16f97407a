import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SessionRequest, unknownUsage } from "@ralpher/contract";
import { createScriptedBackend } from "./backend.ts";
import type { Play } from "./play.ts";

const request = (directory: string): SessionRequest => ({
  directory,
  backend: { type: "scripted", mode: "spawn" },
  title: "Test",
  idleTimeoutMs: 10_000,
  signal: new AbortController().signal,
});

test("turns that are begun at once are played one after the other, and closing ends them all", async () => {
  const seen: string[] = [];
  const isWaiting = Promise.withResolvers<void>();
  const play: Play = async function* ({ prompt, prompts, signal }) {
    seen.push(`${prompts.join("+")} begins`);
    if (prompt === "wait") {
      const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
      isWaiting.resolve();
      await ended;
    }
    seen.push(`${prompt} ends`);
    return { outcome: "done", text: prompt, usage: unknownUsage };
  };
  await using backend = createScriptedBackend({ play });
  const session = backend.open(request(tmpdir()));
  const results = ["one", "two", "wait", "never"].map((prompt) => session.turn(prompt).result);
  await isWaiting.promise;
  await session[Symbol.asyncDispose]();
  expect(await Promise.all(results)).toMatchObject([
    { text: "one" },
    { text: "two" },
    { failure: { reason: "aborted" } },
    { failure: { reason: "aborted" } },
  ]);
  expect(seen.slice(0, 6)).toEqual([
    "one begins",
    "one ends",
    "one+two begins",
    "two ends",
    "one+two+wait begins",
    "wait ends",
  ]);
});

test("in a folder that is not there nothing is played", async () => {
  await using backend = createScriptedBackend();
  await using session = backend.open(request("/no/such/folder"));
  expect(await session.turn("go").result).toMatchObject({
    failure: { reason: "missing", message: "There is no folder /no/such/folder." },
  });
});

test("it is ready when it has a script to play, and says so when the script is missing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-script-"));
  const script = join(folder, "script.yaml");
  await using backend = createScriptedBackend();
  const config = { type: "scripted", mode: "spawn" } as const;
  const install = expect.stringContaining("absolute path");
  // Without a loop it is only asked whether it is there.
  expect(await backend.health()).toEqual({ state: "ready", version: expect.any(String) });
  expect(await backend.health(config)).toEqual({ state: "broken", detail: "It has no script to play", install });
  const detail = `There is no script ${script}`;
  expect(await backend.health({ ...config, script })).toEqual({ state: "broken", detail, install });
  await writeFile(script, "conversations: [{ steps: [{ text: Hello }] }]");
  expect(await backend.health({ ...config, script })).toMatchObject({ state: "ready" });
  await rm(folder, { recursive: true });
});
