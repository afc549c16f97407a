import type { LoopId } from "@ralpher/contract";
import { type CommandBody, client, read, readLoop, sendCommand } from "../feed/api.ts";
import { Refusal } from "../feed/refusal.ts";
import { createStore } from "../feed/store.ts";
import { tellFailed } from "../parts/notices.tsx";
import type { Action, ActionName } from "../words/actions.ts";

export interface Target {
  id: LoopId;
  name: string;
}

/** What an action waits for before it is sent: a yes, a choice, or a few words. */
export type Question =
  | { ask: "confirm"; target: Target; action: Action }
  | { ask: "uncommitted"; target: Target; action: Action; directory: string; changedFiles: string[] }
  | { ask: "method"; target: Target; action: Action }
  | { ask: "pull-request"; target: Target; action: Action }
  | { ask: "extend"; target: Target; action: Action }
  | { ask: "stop-vault"; target: Target; action: Action }
  /** The branch and its target changed the same lines: nothing was done, and this is what can be. */
  | { ask: "conflict"; target: Target; branch: string; into: string; files: string[]; tried: ActionName };

/** The question on the screen. */
export const question = createStore<Question | null>(null);

export type QuestionOf<A extends Question["ask"]> = Extract<Question, { ask: A }>;

/** Take the question off the screen, unanswered or not. */
export const closeQuestion = () => question.set(null);

/** What was sent and has no answer yet, as `<loop id>/<action>`. */
export const underWay = createStore<ReadonlySet<string>>(new Set());

/** Called after a loop was deleted by this page. */
export const deletedHere = createStore<LoopId | null>(null);

const asks: Partial<Record<ActionName, "confirm" | "method" | "pull-request" | "extend" | "stop-vault">> = {
  stop: "confirm",
  accept: "confirm",
  discard: "confirm",
  delete: "confirm",
  "update-branch": "method",
  "pull-request": "pull-request",
  extend: "extend",
  "stop-vault": "stop-vault",
};

/** Do something with a loop: at once, or after a question when it cannot be taken back or needs to know more. */
export function act(target: Target, action: Action): void {
  const ask = asks[action.name];
  if (ask === undefined) void send(target, action);
  else question.set({ ask, target, action });
}

/** Send an action without asking. Never rejects: a refusal becomes a notice, or the question it calls for. */
export async function send(target: Target, action: Action, extra: CommandBody = {}): Promise<void> {
  const { name, body } = action;
  if (name === "extend" || name === "stop-vault") return question.set({ ask: name, target, action });
  await busy(target, name, async () => {
    const answer = await sendCommand(target.id, name, { ...body, ...extra });
    if (name === "delete") deletedHere.set(target.id);
    // Its words come when they are wanted. Where they do not come, it is done all the same, and the page shows it.
    void import("./done.ts").then(
      ({ tellDone }) => tellDone(target, action, answer, send),
      () => {},
    );
  });
}

/**
 * Say something to a loop, and have it go on with that when it is at rest. Resolves with whether it was said; a refusal
 * becomes a notice.
 */
export async function say(target: Target, text: string): Promise<boolean> {
  try {
    await read(client.loops[":id"].say.$post({ param: { id: target.id }, json: { text } }));
    const { config, state } = await readLoop(target.id);
    if (state.status === "paused") await send(target, { name: "resume", label: "Resume" });
    else if (state.status === "max_iterations") act(target, { name: "extend", label: "Go on" });
    else if (!["starting", "running", "waiting"].includes(state.status)) {
      // A task counts on where it was: with as many failures as end it, it would only end again.
      const fresh = config.strategy.type === "task" && state.status === "failed";
      await send(target, { name: "start", label: "Start", ...(fresh ? { body: { resetFailures: true } } : {}) });
    }
    return true;
  } catch (error) {
    tellFailed(`“${target.name}” was not told`, error);
    return false;
  }
}

/** Do it once at a time for each loop. Never rejects: a refusal becomes a notice, or the question it calls for. */
export async function busy(target: Target, name: ActionName, work: () => Promise<void>): Promise<void> {
  const key = `${target.id}/${name}`;
  if (underWay.get().has(key)) return;
  underWay.set(new Set(underWay.get()).add(key));
  try {
    await work();
  } catch (error) {
    const asked = questionOf(target, name, error);
    if (asked === null) tellFailed(`“${target.name}”: ${failed[name]}`, error);
    else question.set(asked);
  } finally {
    const rest = new Set(underWay.get());
    rest.delete(key);
    underWay.set(rest);
  }
}

const failed: Record<ActionName, string> = {
  start: "it did not start",
  pause: "it did not pause",
  resume: "it did not resume",
  stop: "it did not stop",
  extend: "it did not go on",
  "stop-vault": "its vault was not told to stop",
  accept: "it was not accepted",
  "update-branch": "its branch was not updated",
  push: "its branch was not pushed",
  "pull-request": "there is no pull request",
  discard: "it was not discarded",
  restore: "it was not restored",
  delete: "it was not deleted",
};

/** The question that a refusal calls for, or null when there is nothing to choose. */
export function questionOf(target: Target, name: ActionName, error: unknown): Question | null {
  if (!(error instanceof Refusal)) return null;
  const files = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  if (error.code === "uncommitted_changes") {
    const { directory, changedFiles } = error.data;
    const action = { name: name === "extend" ? ("start" as const) : name, label: "Start" };
    return { ask: "uncommitted", target, action, directory: String(directory), changedFiles: files(changedFiles) };
  }
  if (error.code === "merge_conflict") {
    const { branch, target: into } = error.data;
    return {
      ask: "conflict",
      target,
      branch: String(branch),
      into: String(into),
      files: files(error.data.files),
      tried: name,
    };
  }
  return null;
}
