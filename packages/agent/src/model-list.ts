import { type AgentBackend, type BackendConfig, Fault, type ModelInfo } from "@ralpher/contract";
import { Unusable } from "./unusable.ts";

export type ModelsRequest = Parameters<AgentBackend["models"]>[0];

/** What an agent offers changes with its settings, and seldom. */
const freshMs = 5 * 60_000;
/** An agent that has not told by then is ended. */
const patienceMs = 60_000;
const mostKept = 100;

export interface ModelListOptions {
  /** As people know the agent, and how to come by it. */
  about: (config: BackendConfig) => { agent: string; install: string };
  /** Ask the agent. The signal ends the asking, whoever still waits. @throws Unusable */
  ask: (request: ModelsRequest) => Promise<ModelInfo[]>;
}

/**
 * A backend's `models`: those who ask for the same at the same time, or within some minutes, are told by one asking. The
 * default comes first, each model once.
 */
export function createModelList({ about, ask }: ModelListOptions): AgentBackend["models"] {
  const known = new Map<string, { list: Promise<ModelInfo[]>; untilMs: number }>();

  function look({ config, directory }: ModelsRequest): Promise<ModelInfo[]> {
    const key = JSON.stringify([directory, config]);
    const before = known.get(key);
    if (before !== undefined && before.untilMs > performance.now()) return before.list;
    const list = ask({ config, directory, signal: AbortSignal.timeout(patienceMs) }).then(inOrder);
    known.delete(key);
    known.set(key, { list, untilMs: performance.now() + freshMs });
    const [oldest] = known.keys();
    if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
    list.catch(() => {
      if (known.get(key)?.list === list) known.delete(key);
    });
    return list;
  }

  return async (request) => {
    try {
      return await untilAborted(look(request), request.signal);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      const { reason, message } = error.failure;
      const { agent, install } = about(request.config);
      if (reason === "missing") throw new Fault("agent_missing", { agent, install }, { cause: error });
      throw new Fault("agent_failed", { agent, detail: message }, { cause: error });
    }
  };
}

function inOrder(models: ModelInfo[]): ModelInfo[] {
  const keyOf = ({ model }: ModelInfo) => `${model.providerID}/${model.modelID}`;
  const each = [...new Map(models.map((info) => [keyOf(info), info])).values()];
  return each.sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
}

/** The promise's value, unless whoever asked does not want it any more. @throws Unusable */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const leave = () =>
    gone.reject(new Unusable({ reason: "aborted", message: "It did not tell its models in the time there was." }));
  promise.catch(() => {});
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([promise, gone.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
