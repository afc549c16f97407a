import type { LoopId, LoopStatus, LoopSummary, TaskPlace } from "@ralpher/contract";
import { columns } from "./columns.ts";
import { attention, dim } from "./style.ts";
import { cut, printable, status } from "./words.ts";

/** The task loops of a vault, a line each, with what is asked below. `isRun`: whether somebody runs one of them. */
export function taskLoopLines(loops: LoopSummary[], isRun: (id: LoopId) => boolean): string[] {
  const rows = columns(
    loops.map(({ config, state }) => [
      config.id.slice(0, 8),
      stateWords(state.status, isRun(config.id), state.filed),
      state.steps === undefined ? "" : `${state.steps.done}/${state.steps.all}`,
      cut(config.file ?? config.name, 60),
      dim(cut(state.reason ?? state.step ?? state.lastText ?? "", 60)),
    ]),
  );
  return loops.flatMap(({ state }, at) => [
    rows[at] ?? "",
    ...(state.handOff === undefined ? [] : [attention(`          asks you: ${printable(state.handOff)}`)]),
  ]);
}

/** One under way that nobody runs is interrupted. */
export function stateWords(value: LoopStatus, isRun: boolean, filed?: TaskPlace | undefined): string {
  const isUnderWay = value === "starting" || value === "running" || value === "waiting";
  return isUnderWay && !isRun ? attention("‖ interrupted") : status(value, filed);
}
