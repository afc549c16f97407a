import { createInterface } from "node:readline/promises";
import {
  type Command,
  isUnderWay,
  type LoopId,
  type LoopView,
  parse,
  SayRequest,
  shortId,
  toLoop,
} from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { follow } from "../follow.ts";
import { ending } from "../print/ending.ts";
import { good } from "../print/style.ts";
import { print, printJson, withRalpher } from "../session.ts";

type Json = { json?: true | undefined };

/** `ralpher loop pause` */
export const loopPause = (text: string, { now, json }: { now?: true | undefined } & Json) =>
  steer(text, json, (loopId) => ({ type: "pause", loopId, now }));

/** `ralpher loop stop` */
export const loopStop = (text: string, { reason, json }: { reason?: string | undefined } & Json) =>
  steer(text, json, (loopId) => ({ type: "stop", loopId, reason }));

/** `ralpher loop say` */
export const loopSay = (text: string, words: string[], { now, json }: { now?: true | undefined } & Json) =>
  withRalpher(async ({ hub }) => {
    const loopId = await hub.resolve(text);
    const said = parse(SayRequest, { text: words.join(" "), now }, "message");
    const view = await hub.dispatch({ type: "say", loopId, ...said });
    if (view === null) return;
    if (json === true) return printJson(toLoop(view));
    if (!isUnderWay(view)) print("It is read at the next start: ralpher loop resume");
    else
      print(
        now === true ? "The agent begins again with it." : "The next iteration begins with it; --now ends this one.",
      );
  });

/** `ralpher loop accept` */
export const loopAccept = (text: string, { squash, json }: { squash?: true | undefined } & Json) =>
  steer(text, json, (loopId) => ({ type: "accept", loopId, squash }));

/** `ralpher loop discard` */
export const loopDiscard = (text: string, { yes, json }: { yes?: true | undefined } & Json) =>
  steer(
    text,
    json,
    (loopId) => ({ type: "discard", loopId }),
    yes === true ? null : "Throw its branch and worktree away?",
  );

/** `ralpher loop delete` */
export const loopDelete = (text: string, { yes, json }: { yes?: true | undefined } & Json) =>
  steer(
    text,
    json,
    (loopId) => ({ type: "delete", loopId }),
    yes === true
      ? null
      : ({ task }) => `Remove it and everything about it?${task === null ? "" : " The task's file stays where it is."}`,
  );

/** Ask something of a loop, and tell what came of it. `loop`: its name as a person gives it, or how to find it. */
export async function steer(
  loop: string | ((ralpher: Ralpher) => Promise<LoopId>),
  json: true | undefined,
  commandOf: (loopId: LoopId) => Command,
  question: string | ((view: LoopView) => string) | null = null,
): Promise<void> {
  await withRalpher(async (ralpher) => {
    const loopId = typeof loop === "string" ? await ralpher.hub.resolve(loop) : await loop(ralpher);
    const command = commandOf(loopId);
    if (question !== null) {
      const words = typeof question === "string" ? question : question(await ralpher.hub.require(loopId));
      if (!(await agreed(`Loop ${shortId(loopId)}: ${words}`))) {
        process.exitCode = 5;
        return;
      }
    }
    const recorded = await ralpher.hub.dispatch(command);
    const view = recorded !== null && isUnderWay(recorded) ? await settled(ralpher, recorded, command) : recorded;
    if (json === true) return printJson(view === null ? { success: true } : toLoop(view));
    if (view === null) return print("It is gone.");
    if (view.phase.status === "accepted") {
      const into = view.workspace !== null && "originalBranch" in view.workspace ? view.workspace.originalBranch : "";
      return print(good(`✓ Merged as ${view.phase.mergeCommit} into ${into}`));
    }
    if (command.type === "pause" && isUnderWay(view)) {
      const until = view.soda === null ? `when iteration ${view.iteration} ends` : "after the step it is in";
      return print(`It pauses ${until}; --now ends the agent at once.`);
    }
    for (const line of ending(view)) print(line);
    if (command.type === "stop" && isUnderWay(view)) {
      print(`It is still stopping: what it does in git must end first.`);
      process.exitCode = 5;
    }
  });
}

/** So long a stop may take before we say that it is on its way. */
const patienceMs = 15_000;

/**
 * The loop once the ask has been met. Whoever runs it meets it; if that process died, this one takes the loop over just
 * to put it away.
 */
async function settled(ralpher: Ralpher, view: LoopView, command: Command): Promise<LoopView | null> {
  const atOnce = command.type === "stop" || (command.type === "pause" && command.now === true);
  const { hub, journal } = ralpher;
  const isAlone = (await journal.services()).length === 0 && (await journal.holder(view.id)) === null;
  if (isAlone) hub.adopt(view.id);
  if (!isAlone && !atOnce) return view;
  return await follow(ralpher, view.id, { from: view, signal: AbortSignal.timeout(patienceMs), show: () => {} });
}

/** Ask on the terminal. Without one the answer is no: scripts say --yes. */
async function agreed(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    process.stderr.write(`ralpher: ${question} Nothing was done; say --yes to do it without being asked.\n`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
