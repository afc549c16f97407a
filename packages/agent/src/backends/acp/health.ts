import { tmpdir } from "node:os";
import type { BackendConfig, BackendHealth } from "@ralpher/contract";
import type { HealthMemory } from "../../programs/health-memory.ts";
import { openAgent } from "./agent.ts";
import { failureOfThrown } from "./failure.ts";
import { environmentFor } from "./known-agents.ts";
import { type CommandLine, commandOf, installHint, requireProgram } from "./program.ts";
import type { AcpOptions } from "./session.ts";

// Nobody waits longer to be told that it works.
const longestMs = 20_000;

/**
 * Start the agent, shake hands and end it: its program is there, and speaks the protocol. Opens no session. Of an agent
 * that did and is unchanged it is known.
 */
export async function checkAgent(
  config: BackendConfig | undefined,
  options: AcpOptions,
  remember: HealthMemory,
): Promise<BackendHealth> {
  const command = commandOf(config, options.command);
  try {
    const path = requireProgram(command, options.env ?? process.env);
    return await remember([path, ...command.slice(1)], () => shakeHands(command, path, options));
  } catch (error) {
    return notReady(command, error);
  }
}

async function shakeHands(
  command: CommandLine,
  path: string,
  { env = process.env, startTimeoutMs = longestMs }: AcpOptions,
): Promise<BackendHealth> {
  try {
    const agent = await openAgent({
      command,
      cwd: tmpdir(),
      env: { ...env, ...environmentFor({}, env) },
      startTimeoutMs: Math.min(startTimeoutMs, longestMs),
      stop: new AbortController().signal,
    });
    await agent.end();
    return { state: "ready", version: agent.about.agentInfo?.version ?? "unknown", path };
  } catch (error) {
    return notReady(command, error);
  }
}

function notReady(command: CommandLine, error: unknown): BackendHealth {
  const { reason, message: detail } = failureOfThrown(error);
  return { state: reason === "missing" ? "missing" : "broken", detail, install: installHint(command) };
}
