import type { ModelInfo } from "@ralpher/contract";
import { type ModelsRequest, untilAborted } from "../../model-list.ts";
import { answer } from "./answer.ts";
import type { ServerPool } from "./server-pool.ts";

/**
 * The models of the providers that opencode is set up with for the directory, as its server tells. The server stays for
 * the turns that will probably follow.
 * @throws Unusable
 */
export async function readModels(pool: ServerPool, request: ModelsRequest): Promise<ModelInfo[]> {
  const { config: backend, directory, signal } = request;
  const seat = pool.join({ backend, directory });
  try {
    return await untilAborted(ask(seat, directory), signal);
  } finally {
    await seat.leave();
  }
}

async function ask(seat: ReturnType<ServerPool["join"]>, directory: string): Promise<ModelInfo[]> {
  const loan = await seat.borrow();
  try {
    const { config } = loan.server.client;
    const [{ providers, default: best }, { model: chosen }] = await Promise.all([
      answer(config.providers({ directory }), "tell its models"),
      answer(config.get({ directory }), "tell its settings"),
    ]);
    const [first] = providers;
    const preferred = chosen ?? (first === undefined ? null : `${first.id}/${best[first.id]}`);
    return providers.flatMap(({ id: providerID, models }) =>
      Object.entries(models).map(([modelID, { name }]) => ({
        model: { providerID, modelID },
        name: name || modelID,
        isDefault: `${providerID}/${modelID}` === preferred,
      })),
    );
  } finally {
    loan.end();
  }
}
