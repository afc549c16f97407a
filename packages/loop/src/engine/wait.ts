import type { LoopView } from "@ralpher/contract";
import type { Execution, Performer } from "./execution.ts";
import { requireVault } from "./task/requires.ts";
import { seeVault } from "./task/see-vault.ts";

/** A vault is looked at after each wait; only a longer one is ended by what happens in it. */
const worthWatchingMs = 8_000;

/** Let time pass, but listen: any ask, the end of this process, and what a human does in a vault end the wait. */
export const performWait: Performer<"wait"> = async (execution, { until, reason }, view) => {
  const { clock, record, signal, bell } = execution;
  const { phase, task } = view;
  if (phase.status === "waiting" && phase.until !== until) await record([{ type: "loop.waiting", until, reason }]);
  const ms = Date.parse(until) - clock.now().getTime();
  if (task === null) {
    await clock.sleep(ms, AbortSignal.any([signal, bell]));
    return;
  }
  const changed = new AbortController();
  using _watch = ms < worthWatchingMs ? null : await watchVault(execution, view, () => changed.abort());
  await clock.sleep(ms, AbortSignal.any([signal, bell, changed.signal]));
  if (!signal.aborted) await seeVault(execution, view, { isAfter: false });
};

async function watchVault(execution: Execution, view: LoopView, onChange: () => void): Promise<Disposable | null> {
  const look = view.task?.look ?? null;
  if (look === null) return null;
  const { vault } = await requireVault(execution, view);
  return vault.watch(look.config, onChange);
}
