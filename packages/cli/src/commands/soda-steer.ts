import { isUnderWay, type LoopSummary, type LoopView, parse, SayRequest, shortId } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { good } from "../print/style.ts";
import { sodaCommand as soda } from "../program-names.ts";
import { isInHand, print, printJson, withRalpher } from "../session.ts";
import { canGoOn, canStop, requireRun } from "../soda-runs.ts";
import { printPullRequest } from "./loop-git.ts";
import { steer } from "./loop-steer.ts";

interface OfRun {
  run?: string | undefined;
  json?: true | undefined;
}

/** `soda pause` */
export const sodaPause = ({ run, now, json }: OfRun & { now?: true | undefined }) =>
  steer(
    async (ralpher) => (await requireRun(ralpher, run, canGoOn)).id,
    json,
    (loopId) => ({ type: "pause", loopId, now }),
  );

/** `soda stop` */
export const sodaStop = ({ run, reason, json }: OfRun & { reason?: string | undefined }) =>
  steer(
    async (ralpher) => (await requireRun(ralpher, run, canStop)).id,
    json,
    (loopId) => ({ type: "stop", loopId, reason }),
  );

/** `soda pr` */
export const sodaPr = ({
  run,
  json,
  remote,
  draft,
}: OfRun & { remote?: string | undefined; draft?: true | undefined }) =>
  withRalpher(async (ralpher) => {
    const { id } = await requireRun(ralpher, run);
    const wanted = { ...(remote === undefined ? {} : { remote }), ...(draft === undefined ? {} : { draft }) };
    const made = await ralpher.hub.pullRequest(id, wanted);
    if (json === true) printJson(made);
    else printPullRequest(made);
  });

/** So long whoever waits for the answer may take to begin. */
const patienceMs = 3_000;

/** `soda answer` */
export const sodaAnswer = (words: string[], { run, json }: OfRun) =>
  withRalpher(async (ralpher) => {
    const { text } = parse(SayRequest, { text: words.join(" ") }, "answer");
    const before = await requireRun(ralpher, run, listens);
    const after = await ralpher.hub.dispatch({ type: "say", loopId: before.id, text });
    if (after === null) return;
    const woken = !isUnderWay(before) && isUnderWay(after);
    const inHand = isUnderWay(after) && (await comesInHand(ralpher, after));
    if (json === true) return printJson({ run: after.id, woken, inHand });
    const id = shortId(after.id);
    if (!isUnderWay(after)) return print(`It is read when the run goes on: ${soda} resume ${id}`);
    if (!inHand)
      return print(
        `${woken ? good("✓ The run is woken") : "It is heard"}, but nobody runs it now: ${soda} resume ${id}`,
      );
    print(
      woken
        ? `${good("✓ The run is woken")} and goes on ${await where(ralpher)}.`
        : "The next iteration begins with it.",
    );
  });

/** Would somebody hear it soon? */
const listens = ({ state: { status } }: LoopSummary) =>
  status === "stuck" || status === "paused" || status === "starting" || status === "running" || status === "waiting";

/** Whoever waits for the run takes it up in a moment. */
async function comesInHand(ralpher: Ralpher, { id }: LoopView): Promise<boolean> {
  const until = Date.now() + patienceMs;
  for (;;) {
    if (await isInHand(ralpher, id)) return true;
    // Taken up and at rest again already.
    if (!isUnderWay(await ralpher.hub.require(id))) return true;
    if (Date.now() > until) return false;
    await Bun.sleep(50);
  }
}

async function where({ journal }: Ralpher): Promise<string> {
  const [server] = await journal.services();
  return server === undefined ? `where "${soda} run" waits` : `at ${server.url}`;
}
