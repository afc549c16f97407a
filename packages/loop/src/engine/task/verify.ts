import type { Performer } from "../execution.ts";
import { requireLook, requireVault } from "./requires.ts";

/** Run the step's check: what the agent says counts only with it. */
export const performVerify: Performer<"verify"> = async (execution, { iteration, command }, view) => {
  const { signal, record } = execution;
  const { vault } = await requireVault(execution, view);
  const timeoutMs = requireLook(view).config.verify_timeout_seconds * 1000;
  const check = await vault.runCheck(command, { timeoutMs, signal });
  // Ended by us: it says nothing, and is run again when the loop goes on.
  if (check !== null) await record([{ type: "loop.step.verified", iteration, check }]);
};
