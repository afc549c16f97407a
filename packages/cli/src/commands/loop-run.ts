import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type CreateLoopRequest,
  type HandleUncommitted,
  type LoopId,
  type LoopStatus,
  type LoopView,
  parse,
  CreateLoopRequest as Request,
  shortId,
} from "@ralpher/contract";
import { type AgentChoice, backendOf, requireModel, wrong } from "../agent-options.ts";
import type { Ralpher } from "../compose.ts";
import { dim } from "../print/style.ts";
import { type SeeThroughOptions, seeThrough } from "../see-through.ts";
import { print, printJson, withRalpher } from "../session.ts";

export interface RunOptions extends AgentChoice {
  dir: string;
  prompt?: string | undefined;
  promptFile?: string | undefined;
  name?: string | undefined;
  maxIterations?: number | undefined;
  model?: string | undefined;
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
    if (options.json === true) await printBeginning(ralpher, view);
    else print(`Loop ${id} ${dim(`(ralpher loop show ${id})`)}`);
    process.exitCode = await seeThrough(ralpher, view, { json: options.json === true });
  });
}

export interface StartOptions {
  uncommitted?: HandleUncommitted | undefined;
  maxIterations?: number | undefined;
  model?: string | undefined;
  test?: string | undefined;
  /** Of a task: count its failures from zero. */
  resetFailures?: true | undefined;
  json?: true | undefined;
}

/** Settings that a person may want to change just when a loop goes on. */
async function change({ hub }: Ralpher, loopId: LoopId, { maxIterations, model, test }: StartOptions): Promise<void> {
  if (maxIterations === undefined && model === undefined && test === undefined) return;
  const changes = {
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(model === undefined ? {} : { model: requireModel(model) }),
    ...(test === undefined ? {} : { test }),
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
    process.exitCode = await seeThrough(ralpher, view, { json: options.json === true });
  });
}

/** `ralpher loop resume` */
export async function loopResume(text: string, options: StartOptions): Promise<void> {
  await withRalpher(async (ralpher) => {
    const loopId = await ralpher.hub.resolve(text);
    process.exitCode = await goOn(ralpher, loopId, options, { json: options.json === true });
  });
}

const short = new Set<LoopStatus>(["idle", "failed", "stopped", "max_iterations", "stuck"]);

/**
 * Let a loop go on, and see it through. To people "resume" means: go on, be it paused or ended short of its goal. One that
 * reached it goes on for what was said since; a task, for what was put back into its file.
 */
export async function goOn(
  ralpher: Ralpher,
  loopId: LoopId,
  options: StartOptions,
  watching: SeeThroughOptions,
): Promise<number> {
  const { hub } = ralpher;
  const view = await hub.require(loopId);
  await change(ralpher, loopId, options);
  const { status } = view.phase;
  const isWanted = status === "completed" && (view.said.length > 0 || view.task !== null);
  const type = short.has(status) || isWanted ? "start" : "resume";
  const { uncommitted, resetFailures } = options;
  await hub.dispatch(
    type === "start" ? { type, loopId, handleUncommitted: uncommitted, resetFailures } : { type, loopId },
  );
  return await seeThrough(ralpher, view, watching);
}

/** The events of a loop that was just made, for those who read all of them. */
export async function printBeginning({ hub }: Ralpher, { id: loopId, seq }: LoopView): Promise<void> {
  for (const event of await hub.read({ loopId, before: seq + 1 })) printJson(event);
}

async function requestOf(options: RunOptions): Promise<CreateLoopRequest> {
  const request = {
    directory: resolve(options.dir),
    prompt: await promptOf(options),
    name: options.name,
    maxIterations: options.maxIterations,
    stopPattern: options.stopPattern,
    failureThreshold: options.failureThreshold,
    idleTimeoutSeconds: options.idleTimeout,
    model: options.model === undefined ? undefined : requireModel(options.model),
    backend: await backendOf(options),
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
