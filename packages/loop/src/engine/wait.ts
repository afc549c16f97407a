import type { Performer } from "./execution.ts";

/** Let time pass, but listen: any ask, and the end of this process, end the wait. */
export const performWait: Performer<"wait"> = async (execution, { until, reason }, { phase }) => {
  const { clock, record, signal, bell } = execution;
  if (phase.status === "waiting" && phase.until !== until) await record([{ type: "loop.waiting", until, reason }]);
  await clock.sleep(Date.parse(until) - clock.now().getTime(), AbortSignal.any([signal, bell]));
};
