import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Notification } from "@ralpher/contract";
import { openStage, type Stage } from "../stage.fixture.ts";
import { splitCommand } from "./split-command.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const note = (event: Notification["event"] = "failure"): Notification => ({
  event,
  title: "Log in",
  message: 'Three failures; `rm -rf` "$HOME"',
  path: "/Specs/auth_feature/tasks.md",
});

function serve(answer: (request: Request) => Response | Promise<Response>) {
  const heard: { method: string; type: string | null; body: unknown }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.json().catch(() => null);
      heard.push({ method: request.method, type: request.headers.get("content-type"), body });
      return await answer(request);
    },
  });
  const address = `http://127.0.0.1:${server.port}/hook/hush-secret`;
  return { heard, address, [Symbol.asyncDispose]: () => server.stop(true) };
}

test("[T-NOTE-1] a webhook is posted the note as JSON", async () => {
  await using hook = serve(() => new Response(null, { status: 204 }));
  expect(await stage.vault.notify({ ...stage.config, notify_webhook: hook.address }, note())).toEqual([]);
  expect(hook.heard).toEqual([{ method: "POST", type: "application/json", body: note() }]);
});

test("[T-NOTE-1] each event can be switched off", async () => {
  await using hook = serve(() => new Response());
  const config = {
    ...stage.config,
    notify_webhook: hook.address,
    notify_on_completion: false,
    notify_on_stop: false,
  };
  for (const event of ["completion", "failure", "max_iterations", "stop"] as const) {
    expect(await stage.vault.notify(config, note(event))).toEqual([]);
  }
  expect(hook.heard.map(({ body }) => (body as Notification).event)).toEqual(["failure", "max_iterations"]);
});

test("a redirect is followed on the same host, never to another", async () => {
  await using other = serve(() => new Response());
  await using hook = serve(({ url }) =>
    new URL(url).pathname === "/moved"
      ? new Response()
      : new Response(null, { status: 308, headers: { location: "/moved" } }),
  );
  expect(await stage.vault.notify({ ...stage.config, notify_webhook: hook.address }, note())).toEqual([]);
  expect(hook.heard).toHaveLength(2);
  const elsewhere = other.address.replace("127.0.0.1", "localhost");
  await using away = serve(() => new Response(null, { status: 307, headers: { location: elsewhere } }));
  const [problem] = await stage.vault.notify({ ...stage.config, notify_webhook: away.address }, note());
  expect(problem?.message).toContain("leads to another host");
  expect(other.heard).toEqual([]);
});

test("a webhook that fails is a problem that does not tell its address", async () => {
  await using hook = serve(() => new Response("no", { status: 500 }));
  const told = async (notify_webhook: string) => {
    const problems = await stage.vault.notify({ ...stage.config, notify_webhook }, note());
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).not.toContain("hush");
    return problems[0]?.message;
  };
  expect(await told(hook.address)).toEndWith("answered 500");
  await using round = serve(({ url }) => new Response(null, { status: 308, headers: { location: url } }));
  expect(await told(round.address)).toEndWith("leads round in a circle");
  expect(await told("http://127.0.0.1:1/hush")).toEndWith("could not be reached");
});

test("a webhook that never answers is given up", async () => {
  await using hook = serve(() => new Promise<Response>(() => {}));
  const [problem] = await stage.vault.notify({ ...stage.config, notify_webhook: hook.address }, note());
  expect(problem?.message).toEndWith("did not answer within 5 s");
}, 20_000);

test("[T-NOTE-1] a command is run without a shell, in the vault, with the note in its environment", async () => {
  const script = join(stage.folder, "tell me.ts");
  await writeFile(
    script,
    `const { RALPHER_EVENT, RALPHER_TITLE, RALPHER_MESSAGE, RALPHER_PATH, RALPHER_TOKEN } = process.env;
     await Bun.write("told.json", JSON.stringify([process.argv.slice(2), RALPHER_EVENT, RALPHER_TITLE, RALPHER_MESSAGE, RALPHER_PATH, RALPHER_TOKEN]));`,
  );
  const notify_command = `${process.execPath} "${script}" '$HOME; a' b\\ c`;
  process.env.RALPHER_TOKEN = "hush";
  try {
    expect(await stage.vault.notify({ ...stage.config, notify_command }, note())).toEqual([]);
  } finally {
    delete process.env.RALPHER_TOKEN;
  }
  const { event, title, message, path } = note();
  const told = JSON.parse(await readFile(join(stage.vault.root, "told.json"), "utf8"));
  expect(told).toEqual([["$HOME; a", "b c"], event, title, message, path, null]);
});

test("a command that fails, is not there, or cannot be read is a problem, and never an error", async () => {
  const told = async (notify_command: string) =>
    (await stage.vault.notify({ ...stage.config, notify_command }, note())).map(({ message }) => message);
  expect(await told("false")).toEqual(["false ended with 1"]);
  expect(await told("/no/such/program")).toEqual(["/no/such/program was not found"]);
  expect(await told("say 'hello")).toEqual(["notify_command names no program, or a quote in it is never closed"]);
});

const onDesktop = `
const { createVaults } = await import(${JSON.stringify(join(import.meta.dir, "../vaults.ts"))});
const { runProgram } = await import(${JSON.stringify(join(import.meta.dir, "../../../agent/src/index.ts"))});
const vault = await createVaults({ runProgram, version: "1.4.2" }).open(process.argv[2]);
const config = { ...await vault.readConfig(), notify_desktop: true };
const note = { event: "stop", title: "--Title", message: "a < b & c", path: "/" };
console.log(JSON.stringify([await vault.notify(config, note), await vault.notify(config, note)]));
`;

test("[T-NOTE-1] a desktop is told by notify-send; that there is none is said once", async () => {
  const bin = join(stage.folder, "bin");
  await writeFile(join(stage.folder, "desktop.ts"), onDesktop);
  const run = async (path: string) => {
    const command = [process.execPath, join(stage.folder, "desktop.ts"), stage.vault.root];
    const child = Bun.spawn(command, { env: { ...process.env, PATH: path }, stderr: "inherit" });
    return JSON.parse(await new Response(child.stdout).text());
  };
  // Only what runs a program under guard.
  await Bun.write(join(bin, "made"), "");
  for (const tool of ["sh", "sleep", "kill", "ps"]) {
    const real = Bun.which(tool);
    if (real !== null) await Bun.$`ln -s ${real} ${join(bin, tool)}`;
  }
  const [first, second] = await run(bin);
  expect([first.length, second.length]).toEqual([1, 0]);
  expect(first[0].message).toBe("there is neither notify-send nor osascript on PATH");
  await Bun.write(join(bin, "notify-send"), '#!/bin/sh\nprintf "%s|" "$@" >> sent\n');
  await Bun.$`chmod +x ${join(bin, "notify-send")}`;
  expect(await run(bin)).toEqual([[], []]);
  const sent = "--app-name=Ralpher|--|--Title|a &lt; b &amp; c|";
  expect(await stage.read("/sent")).toBe(sent + sent);
});

test("a command line is split at blanks, with quotes and backslashes as shells have them", () => {
  expect(splitCommand(`a  "b 'c' \\"d\\" \\e" '' 'f\\' g\\ h`)).toEqual(["a", `b 'c' "d" \\e`, "", "f\\", "g h"]);
  expect(splitCommand("a && b; $c")).toEqual(["a", "&&", "b;", "$c"]);
  expect(splitCommand("  ")).toBeNull();
  expect(splitCommand('"" a')).toBeNull();
});
