import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CreateLoopRequest,
  Fault,
  type HandleUncommitted,
  isFault,
  isUnderWay,
  isWakeable,
  type LoopView,
  parse,
  CreateLoopRequest as Request,
  shortId,
} from "@ralpher/contract";
import { type AgentChoice, backendOf, requireModel, wrong } from "../agent-options.ts";
import type { Ralpher } from "../compose.ts";
import { ending } from "../print/ending.ts";
import { isUsedUp } from "../print/soda-actions.ts";
import { stuckLines, stuckOf } from "../print/soda-stuck.ts";
import { dim } from "../print/style.ts";
import { cut, printable } from "../print/words.ts";
import { sodaCommand as soda } from "../program-names.ts";
import { type SeeThroughOptions, seeThrough } from "../see-through.ts";
import { print, withRalpher } from "../session.ts";
import { findNews, noNewsLines } from "../soda-news.ts";
import { canGoOn, requireRun } from "../soda-runs.ts";
import { goOn, printBeginning, type StartOptions } from "./loop-run.ts";

export interface WatchOptions {
  json?: true | undefined;
  /** Wait when it is stuck. Absent: where a person looks on. */
  wait?: boolean | undefined;
}

export interface SodaRunOptions extends AgentChoice, WatchOptions {
  spec: string;
  maxIterations?: number | undefined;
  model?: string | undefined;
  test?: string | undefined;
  base?: string | undefined;
  uncommitted?: HandleUncommitted | undefined;
  new?: true | undefined;
}

/** `soda run` */
export async function sodaRun(options: SodaRunOptions): Promise<void> {
  const directory = process.cwd();
  const { spec, test, base, maxIterations, model } = options;
  if (!existsSync(resolve(directory, spec))) return tellOfSpecs(resolve(directory, spec));
  const request = parse(
    Request,
    {
      directory,
      strategy: { type: "soda", spec, test, base },
      maxIterations,
      model: model === undefined ? undefined : requireModel(model),
      backend: await backendOf(options),
      start: options.uncommitted === undefined ? {} : { handleUncommitted: options.uncommitted },
      another: options.new,
    },
    "run",
  );
  await withRalpher(async (ralpher) => {
    const view = await begin(ralpher, request);
    if (view === null) return;
    if (options.json === true) await printBeginning(ralpher, view);
    else print(`Run ${shortId(view.id)} ${dim(`(${soda} status)`)}`);
    process.exitCode = await seeThrough(ralpher, view, watching(ralpher, options));
  });
}

/** Make the run, unless there is one of this spec to go on with: then say so. */
async function begin({ hub }: Ralpher, request: CreateLoopRequest): Promise<LoopView | null> {
  try {
    return await hub.create(request);
  } catch (error) {
    if (!isFault(error, "spec_taken")) throw error;
    refuse(await hub.require(await hub.resolve(error.data.id)));
    return null;
  }
}

export interface SodaResumeOptions extends WatchOptions, StartOptions {
  /** Also when nothing has changed since it got stuck. */
  anyway?: true | undefined;
}

/** `soda resume` */
export async function sodaResume(named: string | undefined, options: SodaResumeOptions): Promise<void> {
  await withRalpher(async (ralpher) => {
    const view = await requireRun(ralpher, named, canGoOn);
    requireReason(view);
    const { anyway, maxIterations, model, test } = options;
    requireMore(view, maxIterations);
    const isSet = model !== undefined || test !== undefined;
    if (anyway !== true && !isSet && !(await findNews(ralpher, view))) {
      process.stderr.write(`${noNewsLines(view).join("\n")}\n`);
      process.exitCode = 5;
      return;
    }
    process.exitCode = await goOn(ralpher, view.id, options, watching(ralpher, options));
  });
}

/**
 * A run that is done goes on only when somebody said what is missing; one whose work was dealt with, not at all.
 * @throws Fault `illegal_transition`
 */
function requireReason({ id, phase, said }: LoopView): void {
  if (phase.status === "accepted" || phase.status === "discarded") {
    const hint = `Its work was ${phase.status}; begin a new run: ${soda} run --new`;
    throw new Fault("illegal_transition", { command: "go on", status: phase.status, hint });
  }
  if (phase.status !== "completed" || said.length > 0) return;
  const hint = `Say what is missing first: ${soda} answer "…" --run ${shortId(id)}`;
  throw new Fault("illegal_transition", { command: "go on", status: "done", hint });
}

/** A limit that is used up already would be kept, and nothing gained. @throws Fault `invalid_input` */
function requireMore(view: LoopView, maxIterations: number | undefined): void {
  const { iteration, phase } = view;
  if (maxIterations === undefined || maxIterations > iteration) return;
  // One in the middle of an iteration may end with that one.
  if (isUnderWay(view) || phase.status === "paused") return;
  throw wrong("--max-iterations", `iteration ${iteration} was reached already, so it has to be more than that`);
}

/** A run at rest is told of with what it needs; where a person looks on, STUCK is waited out (L-HUM-1). */
function watching(ralpher: Ralpher, { json, wait }: WatchOptions): SeeThroughOptions {
  const isWatched = json !== true && process.stdout.isTTY === true;
  const waits = wait ?? isWatched;
  return {
    json: json === true,
    ...(waits ? { waits: isWakeable } : {}),
    ending: async (view) => (view.phase.status === "stuck" ? await tellStuck(ralpher, view, waits) : ending(view)),
    left: (view) => [
      "",
      `It stays stuck until it hears from you; then come back with: ${soda} resume ${shortId(view.id)}`,
    ],
  };
}

/** Whatever keeps us from knowing details must not keep the rest from being told. */
async function tellStuck({ hub }: Ralpher, view: LoopView, waits: boolean): Promise<string[]> {
  if (view.phase.status !== "stuck") return [];
  const [report, claims] = await Promise.all([
    hub.soda(view.id, { limit: 1 }).catch(() => null),
    hub.sense({ loopId: view.id }).catch(() => null),
  ]);
  const stuck = stuckOf(view.phase.reason, report?.iterations.at(-1), claims);
  return stuckLines(view, stuck, waits && isWakeable(view));
}

function refuse(view: LoopView): void {
  const { phase, iteration } = view;
  const id = shortId(view.id);
  const status = isUnderWay(view) ? "under way" : phase.status;
  const why = "reason" in phase && phase.reason ? `: ${cut(phase.reason, 200)}` : "";
  process.stderr.write(
    [
      `soda: run ${id} of this spec is not finished (${status}, iteration ${iteration}${why}).`,
      `${isUnderWay(view) ? "Watch it or take it up" : "Go on with it"}:  ${soda} resume ${id}${isUsedUp(view) ? ` --max-iterations ${iteration + 10}` : ""}`,
      `Begin another:  ${soda} run --new`,
      "",
    ].join("\n"),
  );
  process.exitCode = 5;
}

const example = `# Greeter

A command that greets people.

## Acceptance criteria
- \`bun run greet Ada\` prints "Hello, Ada!"
- Without a name it prints "Hello, world!"
- Both have a test, and \`bun test\` passes
`;

function tellOfSpecs(path: string): void {
  process.stderr.write(
    `soda: there is no spec ${printable(path)}. It says what is to be built, for example:\n\n${example.replace(/^(?=.)/gm, "  ")}\nWrite one, or name another: ${soda} run --spec PATH\n`,
  );
  process.exitCode = 2;
}
