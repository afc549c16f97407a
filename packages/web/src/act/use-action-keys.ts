import type { LoopStatus, StrategyType } from "@ralpher/contract";
import { useKeys } from "../keys/use-keys.ts";
import { actionsFor } from "../words/actions.ts";
import { act, type Target } from "./act.ts";

export interface ActionTarget extends Target {
  status: LoopStatus;
  asked?: "pause" | "stop" | undefined;
  mergeable?: boolean;
  strategy?: StrategyType | undefined;
  calledOff?: boolean | undefined;
}

/** p, s and a act on the loop that `find` names at the moment of the press; null when there is none. */
export function useActionKeys(find: () => ActionTarget | null): void {
  const press = (names: string[]) => () => {
    const target = find();
    if (target === null) return;
    const action = actionsFor(target.status, target).find(({ name }) => names.includes(name));
    if (action !== undefined) act(target, action);
  };
  useKeys({ p: press(["resume", "pause"]), s: press(["stop-vault", "stop"]), a: press(["accept"]) });
}
