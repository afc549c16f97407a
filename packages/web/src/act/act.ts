import type { LoopId } from "@ralpher/contract";
import { sendCommand } from "../feed/api.ts";
import { Refusal, reasonOf } from "../feed/refusal.ts";
import { createStore } from "../feed/store.ts";
import { tell } from "../parts/notices.tsx";
import type { Action, ActionName } from "../words/actions.ts";

export interface Target {
  id: LoopId;
  name: string;
}

/** What an action waits for before it is sent: a yes, or a choice about uncommitted changes. */
export type Question =
  | { ask: "confirm"; target: Target; action: Action }
  | { ask: "uncommitted"; target: Target; action: Action; directory: string; changedFiles: string[] };

/** The question on the screen. */
export const question = createStore<Question | null>(null);

/** What was sent and has no answer yet, as `<loop id>/<action>`. */
export const underWay = createStore<ReadonlySet<string>>(new Set());

/** Called after a loop was deleted by this page. */
export const deletedHere = createStore<LoopId | null>(null);

const needsYes: ReadonlySet<ActionName> = new Set(["stop", "accept", "discard", "delete"]);

/** Do something with a loop: at once, or after a question when it cannot be taken back. */
export function act(target: Target, action: Action): void {
  if (needsYes.has(action.name)) question.set({ ask: "confirm", target, action });
  else void send(target, action);
}

/** Send an action without asking. Never rejects: a refusal becomes a notice, or the question it calls for. */
export async function send(target: Target, action: Action, extra: Record<string, unknown> = {}): Promise<void> {
  const key = `${target.id}/${action.name}`;
  if (underWay.get().has(key)) return;
  underWay.set(new Set(underWay.get()).add(key));
  try {
    await sendCommand(target.id, action.name, { ...action.body, ...extra });
    if (action.name === "delete") deletedHere.set(target.id);
  } catch (error) {
    if (error instanceof Refusal && error.code === "uncommitted_changes") {
      const { directory, changedFiles } = error.data;
      question.set({
        ask: "uncommitted",
        target,
        action,
        directory: String(directory),
        changedFiles: Array.isArray(changedFiles) ? changedFiles.map(String) : [],
      });
    } else {
      tell(`“${target.name}” did not ${action.name}`, reasonOf(error));
    }
  } finally {
    const rest = new Set(underWay.get());
    rest.delete(key);
    underWay.set(rest);
  }
}
