import { client, read, readLoop } from "../../feed/api.ts";
import type { Action } from "../../words/actions.ts";
import { busy, send, type Target } from "../act.ts";

/** Give a loop so many more iterations, and start it. */
export async function extend(target: Target, action: Action, more: number): Promise<void> {
  await busy(target, action.name, async () => {
    const { config, state } = await readLoop(target.id);
    const limit = Math.max(config.maxIterations ?? 0, state.currentIteration) + more;
    await read(client.loops[":id"].$patch({ param: { id: target.id }, json: { maxIterations: limit } }));
    await send(target, { name: "start", label: action.label });
  });
}

/** Tell the vault of a task to stop: each of its tasks stops after its iteration. */
export async function stopVault(target: Target, reason: string | undefined): Promise<void> {
  await busy(target, "stop-vault", async () => {
    const { directory } = (await readLoop(target.id)).config;
    const command = { type: "stop" as const, ...(reason === undefined ? {} : { reason }) };
    await read(client.vaults.tell.$post({ json: { directory, command } }));
  });
}
