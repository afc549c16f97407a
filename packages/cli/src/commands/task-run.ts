import {
  CreateLoopRequest,
  Fault,
  HandOffChoice,
  isUnderWay,
  type LoopView,
  parse,
  shortId,
  toLoop,
} from "@ralpher/contract";
import { type AgentChoice, backendOf, requireModel } from "../agent-options.ts";
import type { Ralpher } from "../compose.ts";
import { ending } from "../print/ending.ts";
import { dim, good } from "../print/style.ts";
import { goOnCommand, isRejected } from "../print/task-actions.ts";
import { printable } from "../print/words.ts";
import { seeThrough } from "../see-through.ts";
import { isInHand, print, printJson, withRalpher } from "../session.ts";
import { isUnfinished, listTaskLoops, requireTaskLoop, requireVault, vaultOfFile } from "../task-loops.ts";
import { goOn, printBeginning } from "./loop-run.ts";

type Json = { json?: true | undefined };
type InVault = { vault?: string | undefined };

export interface TaskStartOptions extends AgentChoice, Json, InVault {
  maxIterations?: number | undefined;
  failureThreshold?: number | undefined;
  model?: string | undefined;
  detach?: true | undefined;
}

/** `ralpher task start` */
export async function taskStart(typed: string, options: TaskStartOptions): Promise<void> {
  const { maxIterations, failureThreshold, model, json, detach } = options;
  const backend = await backendOf(options);
  await withRalpher(async (ralpher) => {
    const { vault, file } = await vaultOfFile(ralpher, typed, options.vault);
    if (detach === true) await requireServer(ralpher);
    const request = parse(
      CreateLoopRequest,
      {
        directory: vault,
        strategy: { type: "task", file, failureThreshold },
        maxIterations,
        model: model === undefined ? undefined : requireModel(model),
        backend,
        start: {},
      },
      "task",
    );
    const view = await ralpher.hub.create(request);
    const { strategy } = view.config;
    if (json === true) await printBeginning(ralpher, view);
    else {
      const path = strategy.type === "task" ? strategy.file : typed;
      print(`Loop ${shortId(view.id)} has ${printable(path)} ${dim(`(ralpher task status ${shortId(view.id)})`)}`);
    }
    if (detach !== true) process.exitCode = await seeThrough(ralpher, view, { json: json === true });
  });
}

/** Nobody else would run it. */
async function requireServer({ journal }: Ralpher): Promise<void> {
  if ((await journal.services()).length > 0) return;
  const message = 'there is no server that would run it; begin "ralpher serve" first, or leave --detach out';
  throw new Fault("invalid_input", { what: "task", issues: [{ path: "--detach", message }] });
}

export interface TaskResumeOptions extends Json, InVault {
  maxIterations?: number | undefined;
  model?: string | undefined;
  resetFailures?: true | undefined;
  agent?: string | undefined;
  script?: string | undefined;
  agentCommand?: string | undefined;
}

/** `ralpher task resume` */
export async function taskResume(typed: string | undefined, options: TaskResumeOptions): Promise<void> {
  requireSameAgent(options);
  await withRalpher(async (ralpher) => {
    const view =
      typed === undefined
        ? await findOneAtRest(ralpher, await requireVault(ralpher, options.vault))
        : await requireTaskLoop(ralpher, typed, options.vault);
    if (view === null) return;
    await makeReady(ralpher, view);
    process.exitCode = await goOn(ralpher, view.id, options, { json: options.json === true });
  });
}

/** @throws Fault `invalid_input` */
function requireSameAgent({ agent, script, agentCommand }: TaskResumeOptions): void {
  const given = { "--agent": agent, "--script": script, "--agent-command": agentCommand };
  const path = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (path === undefined) return;
  const message =
    "a loop keeps its agent; to work the task off with another, delete its loop (ralpher loop delete; the file stays), and start it anew";
  throw new Fault("invalid_input", { what: "task", issues: [{ path, message }] });
}

/** The one task that could go on; null when it was told that there are several. @throws Fault `not_found` */
async function findOneAtRest(ralpher: Ralpher, vault: string): Promise<LoopView | null> {
  const unfinished = (await listTaskLoops(ralpher, vault)).filter(isUnfinished);
  const waiting: LoopView[] = [];
  for (const { config } of unfinished) {
    const view = await ralpher.hub.require(config.id);
    const canGoOn = isUnderWay(view) ? !(await isInHand(ralpher, view.id)) : !isRejected(view);
    if (canGoOn) waiting.push(view);
  }
  const [first, ...others] = waiting;
  if (first === undefined) {
    const isBusy = unfinished.some(({ state }) => state.status === "running" || state.status === "waiting");
    const what = isBusy
      ? `task at rest in ${vault}; "ralpher task status" shows those under way`
      : `task in ${vault} that could go on; "ralpher task start FILE" begins one`;
    throw new Fault("not_found", { what });
  }
  if (others.length === 0) return first;
  tellOfSeveral(waiting);
  return null;
}

function tellOfSeveral(views: LoopView[]): void {
  const lines = views.map((view) => {
    const { strategy } = view.config;
    const file = strategy.type === "task" ? strategy.file : "";
    const how = isUnderWay(view) ? "interrupted" : view.phase.status.replace("_", " ");
    return `  ${goOnCommand(view)}   ${printable(file)}, ${how}`;
  });
  const head = `${views.length} tasks could go on. Say which, or have "ralpher task watch" take up those that were stopped:`;
  process.stderr.write(`ralpher: ${[head, ...lines].join("\n")}\n`);
  process.exitCode = 2;
}

/**
 * One that was filed away would only end again. A paused one is not started anew, which would take the stop hook away.
 * @throws Fault `illegal_transition`, `vault_stopping`
 */
async function makeReady({ hub }: Ralpher, view: LoopView): Promise<void> {
  if (isUnderWay(view)) return;
  const { vault, place, path, file, stopHook } = await hub.task(view.id);
  // Moved by hand while nobody looked: it ends so as soon as somebody does.
  if (view.task?.filed != null && (place === "done" || place === "rejected")) {
    const hint = `Its file is ${path}; to begin it anew, put that back as ${file}, open a box, and say: ralpher task start ${file}`;
    const status = place === "done" ? "done" : "called off";
    throw new Fault("illegal_transition", { command: "go on", status, hint });
  }
  const isAtWork = view.phase.status === "paused" || isUnderWay(view);
  if (isAtWork && stopHook !== null) await hub.tellVault(vault, { type: "lift", loop: view.id });
}

/** `ralpher task choose` */
export async function taskChoose(typed: string, word: string, { vault, json }: Json & InVault): Promise<void> {
  const choice = requireChoice(word);
  await withRalpher(async (ralpher) => {
    const before = await requireTaskLoop(ralpher, typed, vault);
    const after = await ralpher.hub.dispatch({ type: "choose", loopId: before.id, choice });
    if (after === null) return;
    const goesOnAt = isUnderWay(after) ? await whoRunsIt(ralpher, after) : null;
    if (isUnderWay(after) && goesOnAt === null) {
      process.exitCode = await seeThrough(ralpher, before, { json: json === true });
      return;
    }
    if (json === true) return printJson(toLoop(after));
    if (goesOnAt === null) for (const line of ending(after)) print(line);
    else print(`${good("✓")} ${choice}: it goes on ${goesOnAt}; see it with: ralpher task status ${shortId(after.id)}`);
  });
}

/** @throws Fault `invalid_input` */
function requireChoice(word: string): HandOffChoice {
  const choice = HandOffChoice.safeParse(word);
  if (choice.success) return choice.data;
  const message = `"${word}" is none of ${HandOffChoice.options.join(", ")}`;
  throw new Fault("invalid_input", { what: "choice", issues: [{ path: "choice", message }] });
}

/** Where it goes on; null when only this command could run it. */
async function whoRunsIt({ hub, journal }: Ralpher, { config }: LoopView): Promise<string | null> {
  const [server] = await journal.services();
  if (server !== undefined) return `at ${server.url}`;
  return (await hub.vault(config.directory)).isWatched ? "where the vault is watched" : null;
}
