import { tmpdir } from "node:os";
import type { BackendConfig, BackendHealth } from "@ralpher/contract";
import { openAgent } from "./agent.ts";
import { failureOfThrown } from "./failure.ts";
import { environmentFor } from "./known-agents.ts";
import { commandOf, installHint, requireProgram } from "./program.ts";
import type { AcpOptions } from "./session.ts";

// Nobody waits longer to be told that it works.
const longestMs = 20_000;

/** Start the agent, shake hands and end it: its program is there, and speaks the protocol. Opens no session. */
export async function checkAgent(
  config: BackendConfig | undefined,
  { command: preferred, env = process.env, startTimeoutMs = longestMs }: AcpOptions,
): Promise<BackendHealth> {
  const command = commandOf(config, preferred);
  const install = installHint(command);
  try {
    const path = requireProgram(command, env);
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
    const { reason, message: detail } = failureOfThrown(error);
    return { state: reason === "missing" ? "missing" : "broken", detail, install };
  }
}
