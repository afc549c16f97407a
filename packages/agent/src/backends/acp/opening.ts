import type { ModelRef } from "@ralpher/contract";
import { z } from "zod";
import { Unusable } from "../../unusable.ts";
import type { Agent } from "./agent.ts";
import { failureOfThrown } from "./failure.ts";
import { carefulModes, lackingMode, sessionMeta } from "./known-agents.ts";
import { SessionState } from "./messages.ts";
import type { Conversation } from "./session.ts";

/**
 * Make the session in an agent that has just started, or take it up again where another process of the agent left it.
 * Returns its id.
 * @throws Unusable
 */
export async function openSession(agent: Agent, conversation: Conversation): Promise<string> {
  const { request, startTimeoutMs, spending } = conversation;
  const known = conversation.id;
  const place = { cwd: request.directory, mcpServers: [], _meta: sessionMeta(request, spending.total ?? 0) };
  const state =
    known === null
      ? await agent.request("session/new", place, SessionState, startTimeoutMs)
      : await agent.request(resumeMethod(agent), { ...place, sessionId: known }, SessionState, startTimeoutMs);
  const sessionId = known ?? state.sessionId;
  if (sessionId === undefined) throw new Unusable({ reason: "protocol", message: "The agent gave its session no id." });
  if (request.tools !== undefined) await beCareful(agent, sessionId, state, startTimeoutMs);
  if (request.model !== undefined) await chooseModel(agent, sessionId, state, request.model, startTimeoutMs);
  return sessionId;
}

/** @throws Unusable when the agent cannot take up a session again */
function resumeMethod({ about: { agentCapabilities } }: Agent): string {
  // Either does; resuming spares us the whole conversation once more.
  if (isOffered(agentCapabilities?.sessionCapabilities?.resume)) return "session/resume";
  if (agentCapabilities?.loadSession === true) return "session/load";
  const message = "The agent's process has ended, and it cannot go on with a session in a new one.";
  throw new Unusable({ reason: "crashed", message });
}

const isOffered = (capability: unknown) => capability !== undefined && capability !== null && capability !== false;

/**
 * Set the mode in which the agent asks most, as far as it has one that we know.
 * @throws Unusable
 */
async function beCareful(agent: Agent, sessionId: string, state: SessionState, timeoutMs: number): Promise<void> {
  const { option, values, current } = setting(state, "mode");
  const modes = option === undefined ? (state.modes?.availableModes.map(({ id }) => id) ?? []) : values;
  const mode = carefulModes.find((name) => modes.includes(name));
  const missing = lackingMode(agent.about, modes);
  if (missing !== null) throw new Unusable({ reason: "protocol", message: missing });
  if (mode === undefined || mode === (option === undefined ? state.modes?.currentModeId : current)) return;
  if (option === undefined)
    await agent.request("session/set_mode", { sessionId, modeId: mode }, z.unknown(), timeoutMs);
  else await setOption(agent, sessionId, option, mode, timeoutMs);
}

/** @throws Unusable when the agent does not know the model, or lets nobody choose one */
async function chooseModel(
  agent: Agent,
  sessionId: string,
  state: SessionState,
  { providerID, modelID }: ModelRef,
  timeoutMs: number,
): Promise<void> {
  const { option, values, current } = setting(state, "model");
  const offered = option === undefined ? (state.models?.availableModels.map(({ modelId }) => modelId) ?? []) : values;
  const whole = `${providerID}/${modelID}`;
  // Agents of one provider leave that out; some of them also understand names that they do not offer.
  const inTheirWords = offered.some((name) => name.includes("/")) ? whole : modelID;
  const wanted = [whole, modelID].find((name) => offered.includes(name)) ?? inTheirWords;
  if (wanted === (option === undefined ? state.models?.currentModelId : current)) return;
  try {
    if (option !== undefined) await setOption(agent, sessionId, option, wanted, timeoutMs);
    else if (state.models !== undefined)
      await agent.request("session/set_model", { sessionId, modelId: wanted }, z.unknown(), timeoutMs);
    else throw new Unusable({ reason: "model", message: "it lets nobody choose its model" });
  } catch (error) {
    const { reason, message } = failureOfThrown(error);
    if (agent.ended.aborted || reason === "timeout") throw error;
    throw new Unusable({ reason: "model", message: `The agent does not take the model ${whole}: ${message}.` });
  }
}

function setting({ configOptions = [] }: SessionState, category: string) {
  const found =
    configOptions.find((one) => one.category === category) ?? configOptions.find(({ id }) => id === category);
  return { option: found?.id, values: found?.options ?? [], current: found?.currentValue };
}

async function setOption(agent: Agent, sessionId: string, configId: string, value: string, timeoutMs: number) {
  await agent.request("session/set_config_option", { sessionId, configId, value }, z.unknown(), timeoutMs);
}
