import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type BackendType,
  type CreateLoopRequest,
  Fault,
  type HandleUncommitted,
  isUnderWay,
  type LoopId,
  type LoopView,
  parse,
  parseModelRef,
  CreateLoopRequest as Request,
  shortId,
  toLoop,
} from "@ralpher/contract";
import { type Ralpher, readScript } from "../compose.ts";
import { exitCodeOf, interrupted } from "../exit.ts";
import { follow } from "../follow.ts";
import { ending } from "../print/ending.ts";
import { Progress } from "../print/progress.ts";
import { attention, dim } from "../print/style.ts";
import { onOutputGone, print, printJson, withRalpher } from "../session.ts";

export interface RunOptions {
  dir: string;
  prompt?: string | undefined;
  promptFile?: string | undefined;
  name?: string | undefined;
  maxIterations?: number | undefined;
  model?: string | undefined;
  /** Absent: as the settings say. */
  agent?: BackendType | undefined;
  agentCommand?: string | undefined;
  script?: string | undefined;
  connect?: string | undefined;
  stopPattern?: string | undefined;
  failureThreshold?: number | undefined;
  idleTimeout?: number | undefined;
  uncommitted?: HandleUncommitted | undefined;
  inPlace?: true | undefined;
  git: boolean;
  json?: true | undefined;
}

/** `ralpher loop run` */
export async function loopRun(options: RunOptions): Promise<void> {
  const request = await requestOf(options);
  await withRalpher(async (ralpher) => {
    const view = await ralpher.hub.create(request);
    const id = shortId(view.id);
    if (options.json !== true) print(`Loop ${id} ${dim(`(ralpher loop show ${id})`)}`);
    else for (const event of await ralpher.hub.read({ loopId: view.id, before: view.seq + 1 })) printJson(event);
    process.exitCode = await seeThrough(ralpher, view, options.json === true);
  });
}

export interface StartOptions {
  uncommitted?: HandleUncommitted | undefined;
  maxIterations?: number | undefined;
  model?: string | undefined;
  json?: true | undefined;
}

/** Settings that a person may want to change just when a loop goes on. */
async function change({ hub }: Ralpher, loopId: LoopId, { maxIterations, model }: StartOptions): Promise<void> {
  if (maxIterations === undefined && model === undefined) return;
  const changes = {
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(model === undefined ? {} : { model: requireModel(model) }),
  };
  await hub.dispatch({ type: "update", loopId, changes });
}

/** `ralpher loop start` */
export async function loopStart(text: string, options: StartOptions): Promise<void> {
  await withRalpher(async (ralpher) => {
    const loopId = await ralpher.hub.resolve(text);
    const view = await ralpher.hub.require(loopId);
    await change(ralpher, loopId, options);
    await ralpher.hub.dispatch({ type: "start", loopId, handleUncommitted: options.uncommitted });
    process.exitCode = await seeThrough(ralpher, view, options.json === true);
  });
}

/** `ralpher loop resume` */
export async function loopResume(text: string, options: StartOptions): Promise<void> {
  await withRalpher(async (ralpher) => {
    const { hub } = ralpher;
    const loopId = await hub.resolve(text);
    const view = await hub.require(loopId);
    await change(ralpher, loopId, options);
    // To people "resume" means: go on. A loop that ended short of its goal goes on by being started again.
    const { status } = view.phase;
    const type = status === "failed" || status === "stopped" || status === "max_iterations" ? "start" : "resume";
    await hub.dispatch({ type, loopId, handleUncommitted: options.uncommitted });
    process.exitCode = await seeThrough(ralpher, view, options.json === true);
  });
}

/** How often to look whether the server that runs the loop is still there. */
const lookEveryMs = 1_000;

/**
 * Have the loop run, by the server when there is one and else by this process, and show what happens until it rests.
 * Resolves to the exit code. Ctrl+C pauses a loop that we run, and leaves alone one that the server runs. A loop whose
 * server dies is taken over.
 */
async function seeThrough(ralpher: Ralpher, from: LoopView, json: boolean): Promise<number> {
  const { hub, journal } = ralpher;
  const loopId = from.id;
  let server = (await journal.services())[0];
  const leaving = new AbortController();
  let asked = false;
  const letGo = (signal?: NodeJS.Signals) => {
    // Only a second Ctrl+C is impatience: a terminal that closes says so in several ways at once.
    if (asked && signal === "SIGINT") process.exit(interrupted);
    if (asked) return;
    asked = true;
    if (server !== undefined) leaving.abort();
    else void hub.dispatch({ type: "pause", loopId, now: true }).catch(() => leaving.abort());
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, letGo);
  onOutputGone(letGo);
  if (server === undefined) hub.adopt(loopId);
  else if (!json) print(dim(`The server at ${server.url} runs it; Ctrl+C leaves it running.`));
  const look = setInterval(async () => {
    if (server === undefined || (await journal.services().catch(() => [server])).length > 0) return;
    server = undefined;
    if (!json) print(attention("The server is gone; this command runs the loop now, and Ctrl+C pauses it."));
    hub.adopt(loopId);
  }, lookEveryMs);

  using progress = new Progress({ seesAll: server === undefined });
  const view = await follow(ralpher, loopId, {
    from,
    signal: leaving.signal,
    show(published, folded) {
      if (!json) progress.show(published, folded);
      else if (published.durable) printJson(published.event);
    },
  }).finally(() => clearInterval(look));
  progress[Symbol.dispose]();
  return conclude(view, asked, json);
}

function conclude(view: LoopView | null, wasInterrupted: boolean, json: boolean): number {
  if (view === null) return 0;
  if (json) printJson(toLoop(view));
  else for (const line of ending(view)) print(line);
  if (isUnderWay(view) || (wasInterrupted && view.phase.status === "paused")) return interrupted;
  return exitCodeOf(view.phase.status);
}

async function requestOf(options: RunOptions): Promise<CreateLoopRequest> {
  if (options.agent === "scripted") {
    if (options.script === undefined) throw wrong("--script", "the scripted agent needs one");
    await readScript(resolve(options.script));
  }
  const request = {
    directory: resolve(options.dir),
    prompt: await promptOf(options),
    name: options.name,
    maxIterations: options.maxIterations,
    stopPattern: options.stopPattern,
    failureThreshold: options.failureThreshold,
    idleTimeoutSeconds: options.idleTimeout,
    model: options.model === undefined ? undefined : requireModel(options.model),
    backend: {
      type: options.agent,
      ...connection(options.connect),
      ...commandOf(options),
      ...scriptOf(options.script),
    },
    git: { enabled: options.git, isolation: options.inPlace === true ? "checkout" : "worktree" },
    start: options.uncommitted === undefined ? {} : { handleUncommitted: options.uncommitted },
  };
  return parse(Request, request, "loop");
}

async function promptOf({ prompt, promptFile }: RunOptions): Promise<string> {
  if ((prompt === undefined) === (promptFile === undefined)) {
    throw wrong("prompt", "give either --prompt or --prompt-file");
  }
  if (promptFile === undefined) return prompt ?? "";
  try {
    return promptFile === "-" ? await Bun.stdin.text() : await readFile(promptFile, "utf8");
  } catch (error) {
    throw wrong("--prompt-file", (error as Error).message);
  }
}

function requireModel(text: string) {
  const model = parseModelRef(text);
  if (model === null) throw wrong("--model", `"${text}" is not of the form provider/model`);
  return model;
}

function connection(text: string | undefined) {
  if (text === undefined) return {};
  const match = /^(.+):(\d{1,5})$/.exec(text);
  if (match === null) throw wrong("--connect", `"${text}" is not of the form host:port`);
  return { mode: "connect", hostname: match[1], port: Number(match[2]) };
}

/** Split at blanks; no shell reads it. */
function commandOf({ agent, agentCommand }: RunOptions) {
  if (agentCommand === undefined) return {};
  if (agent !== "acp") throw wrong("--agent-command", "it goes with --agent acp");
  return { command: agentCommand.trim().split(/\s+/) };
}

function scriptOf(script: string | undefined) {
  return script === undefined ? {} : { script: resolve(script) };
}

function wrong(path: string, message: string): Fault {
  return new Fault("invalid_input", { what: "loop", issues: [{ path, message }] });
}
