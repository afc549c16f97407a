import { type Fault, type FaultCode, isFault, isUnderWay, type LoopView, toLoop } from "@ralpher/contract";
import type { Ralpher } from "./compose.ts";
import { exitCodeOf, interrupted } from "./exit.ts";
import { follow } from "./follow.ts";
import { ending } from "./print/ending.ts";
import { Progress } from "./print/progress.ts";
import { attention, dim } from "./print/style.ts";
import { onOutputGone, print, printJson } from "./session.ts";

export interface SeeThroughOptions {
  json: boolean;
  /** Is this rest one that is waited out, for the loop goes on by itself when something happens? Default: none is. */
  waits?: (view: LoopView) => boolean;
  /** How a loop at rest is told of. */
  ending?: (view: LoopView) => string[] | Promise<string[]>;
  /** What is said to somebody who would not wait any longer. */
  left?: (view: LoopView) => string[];
}

/** How often to look whether the server that runs the loop is still there. */
const lookEveryMs = 1_000;

/**
 * Have the loop run, by the server when there is one and else by this process, and show what happens until it rests.
 * Resolves to the exit code. Ctrl+C pauses a loop that we run, and leaves alone one that the server runs, or that rests
 * and is waited for. A loop whose server dies is taken over.
 * @throws Fault what this process gave the loop up for: `disk_full`, `data_root_unusable`, `database_corrupt`
 */
export async function seeThrough(ralpher: Ralpher, from: LoopView, options: SeeThroughOptions): Promise<number> {
  const { hub, journal } = ralpher;
  const { json, waits = () => false, ending: endingOf = ending, left = () => [] } = options;
  const loopId = from.id;
  let server = (await journal.services())[0];
  let isWaiting = false;
  let wasLeft = false;
  let latest = from;
  const leaving = new AbortController();
  let asked = false;
  let gaveUpFor: Fault | null = null;
  using _ = ralpher.onTrouble((id, error) => {
    if (id !== loopId || !isLasting(error)) return false;
    gaveUpFor = error;
    leaving.abort();
    return true;
  });
  const letGo = (signal?: NodeJS.Signals) => {
    // Only a second Ctrl+C is impatience: a terminal that closes says so in several ways at once.
    if (asked && signal === "SIGINT") process.exit(interrupted);
    if (asked) return;
    asked = true;
    wasLeft = isWaiting && waits(latest);
    if (server !== undefined || wasLeft) leaving.abort();
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
  const watch = async (seen: LoopView, until?: (view: LoopView) => boolean): Promise<LoopView | null> =>
    await follow(ralpher, loopId, {
      from: seen,
      signal: leaving.signal,
      ...(until === undefined ? {} : { until }),
      show(published, folded) {
        latest = folded;
        if (!json) progress.show(published, folded);
        else if (published.durable) printJson(published.event);
      },
    });
  const toRest = async (): Promise<LoopView | null> => {
    let view = await watch(from);
    while (view !== null && waits(view) && !leaving.signal.aborted && !asked) {
      const { completedAt } = view;
      isWaiting = true;
      if (!json) for (const line of await endingOf(view)) progress.print(line);
      if (!json) progress.say("waiting for you; Ctrl+C leaves");
      // It may have gone on and come to rest again before we look.
      view = await watch(view, (now) => !waits(now) || now.completedAt !== completedAt);
      isWaiting = false;
      if (view !== null && isUnderWay(view)) view = await watch(view);
    }
    return view;
  };
  const view = await toRest().finally(() => clearInterval(look));
  progress[Symbol.dispose]();
  if (gaveUpFor !== null) throw gaveUpFor;
  if (view === null) return 0;
  if (json) printJson(toLoop(view));
  // What it waits for was told when the waiting began.
  else for (const line of wasLeft && waits(view) ? left(view) : await endingOf(view)) print(line);
  if (isUnderWay(view) || (asked && view.phase.status === "paused")) return interrupted;
  return exitCodeOf(view.phase.status);
}

/** Trouble that only a human mends: whoever watches is told, rather than kept waiting. */
function isLasting(error: unknown): error is Fault {
  return isFault(error) && lasting.includes(error.code);
}
const lasting: FaultCode[] = ["disk_full", "data_root_unusable", "database_corrupt"];
