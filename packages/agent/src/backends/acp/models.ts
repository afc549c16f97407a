import type { ModelInfo } from "@ralpher/contract";
import { z } from "zod";
import type { ModelsRequest } from "../../model-list.ts";
import { type Agent, openAgent } from "./agent.ts";
import { environmentFor } from "./known-agents.ts";
import { commandOf } from "./program.ts";
import type { AcpOptions } from "./session.ts";

const longestMs = 60_000;
const text = z.string().optional().catch(undefined);
const Choice = z.looseObject({ value: z.string(), name: text });
const none = { options: [], current: undefined };

/** Where agents tell of their models in the answer to `session/new`: a setting, or, before there were any, a list. */
const Offer = z
  .looseObject({
    configOptions: z
      .array(
        z
          .looseObject({
            id: z.string(),
            category: text,
            currentValue: z.unknown().optional(),
            options: z.array(z.union([Choice, z.looseObject({ options: z.array(Choice) })])),
          })
          .nullable()
          .catch(null),
      )
      .default([])
      .catch([]),
    models: z
      .looseObject({
        currentModelId: text,
        availableModels: z.array(z.looseObject({ modelId: z.string(), name: text })),
      })
      .nullish()
      .catch(undefined),
  })
  .transform(({ configOptions, models }) => {
    const setting = configOptions.find((one) => one?.category === "model" || one?.id === "model");
    if (setting) {
      const options = setting.options.flatMap((one) =>
        "value" in one ? [one as z.infer<typeof Choice>] : one.options,
      );
      return { options, current: setting.currentValue };
    }
    if (!models) return none;
    return {
      options: models.availableModels.map(({ modelId, name }) => ({ value: modelId, name })),
      current: models.currentModelId,
    };
  })
  .catch(none);

/**
 * The models that the agent names when it makes a session, which is not used; none when it names none.
 * @throws Unusable
 */
export async function readModels(options: AcpOptions, request: ModelsRequest): Promise<ModelInfo[]> {
  const { command, env = process.env, startTimeoutMs = longestMs } = options;
  const { config, directory, signal } = request;
  const agent = await openAgent({
    command: commandOf(config, command),
    cwd: directory,
    env: { ...env, ...environmentFor({}, env) },
    startTimeoutMs,
    stop: signal,
  });
  try {
    const place = { cwd: directory, mcpServers: [] };
    const { options: offered, current } = await agent.request("session/new", place, Offer, startTimeoutMs);
    return offered.map(({ value, name }) => ({
      model: modelOf(value, agent),
      name: name ?? value,
      isDefault: value === current,
    }));
  } finally {
    await agent.end();
  }
}

/** Agents of one provider leave that out; the agent's own name stands for it then. */
function modelOf(value: string, { about: { agentInfo } }: Agent): ModelInfo["model"] {
  const slash = value.indexOf("/");
  if (slash > 0 && slash < value.length - 1) {
    return { providerID: value.slice(0, slash), modelID: value.slice(slash + 1) };
  }
  return { providerID: agentInfo?.name.split("/").at(-1) || "agent", modelID: value };
}
