import type { ModelInfo } from "@ralpher/contract";
import { drain } from "../../last-lines.ts";
import { type ModelsRequest, untilAborted } from "../../model-list.ts";
import type { Guarded } from "../../process/guard.ts";
import { Unusable } from "../../unusable.ts";
import { type Installation, requireExecutable } from "./executable.ts";
import { spawnGuarded } from "./guarded-spawn.ts";
import { createPrompts } from "./prompts.ts";
import { createQueryOptions } from "./query-options.ts";

/** What Claude Code calls the model it takes when none is named. */
const defaultModel = "default";

/**
 * The models that Claude Code offers with the user's login and settings. It is started for that, without a prompt, and
 * ended.
 * @throws Unusable
 */
export async function readModels(installation: Installation, request: ModelsRequest): Promise<ModelInfo[]> {
  const { config: backend, directory, signal } = request;
  const path = requireExecutable(installation);
  const { query } = await import("@anthropic-ai/claude-agent-sdk");
  const prompts = createPrompts();
  const purpose = {
    request: { directory, backend, title: "models", idleTimeoutMs: 0, signal },
    output: undefined,
  };
  const started: { guarded?: Guarded } = {};
  try {
    const talk = query({
      prompt: prompts,
      options: {
        ...createQueryOptions(purpose, installation.env),
        pathToClaudeCodeExecutable: path,
        spawnClaudeCodeProcess(options) {
          const { guarded, spawned } = spawnGuarded(options);
          started.guarded = guarded;
          drain(guarded.stderr);
          return spawned;
        },
      },
    });
    const models = await untilAborted(talk.supportedModels(), signal);
    return models.map(({ value, displayName }) => ({
      model: { providerID: "anthropic", modelID: value },
      name: displayName,
      isDefault: value === defaultModel,
    }));
  } catch (cause) {
    if (cause instanceof Unusable) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new Unusable({ reason: "crashed", message: `Claude Code did not tell its models: ${words}` }, { cause });
  } finally {
    prompts.close();
    await started.guarded?.end();
  }
}
