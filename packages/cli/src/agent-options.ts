import { resolve } from "node:path";
import { type BackendType, Fault, type ModelRef, parseModelRef } from "@ralpher/contract";
import { readScript } from "./compose.ts";

/** The options of a command that say which agent works, and how it is reached. */
export interface AgentChoice {
  /** Absent: as the settings say. */
  agent?: BackendType | undefined;
  agentCommand?: string | undefined;
  script?: string | undefined;
  connect?: string | undefined;
}

/** The backend of a request. @throws Fault `invalid_input`, `script_invalid` */
export async function backendOf(choice: AgentChoice) {
  const { agent, script } = choice;
  if (agent === "scripted") {
    if (script === undefined) throw wrong("--script", "the scripted agent needs one");
    await readScript(resolve(script));
  } else if (script !== undefined) throw wrong("--script", "it goes with --agent scripted");
  return {
    type: agent,
    ...connection(choice.connect),
    ...commandOf(choice),
    ...(script === undefined ? {} : { script: resolve(script) }),
  };
}

/** @throws Fault `invalid_input` */
export function requireModel(text: string): ModelRef {
  const model = parseModelRef(text);
  if (model === null) throw wrong("--model", `"${text}" is not of the form provider/model`);
  return model;
}

function connection(text: string | undefined) {
  if (text === undefined) return {};
  const match = /^(.+):(\d{1,5})$/.exec(text);
  if (match === null) throw wrong("--connect", `"${text}" is not of the form host:port`);
  return { mode: "connect", hostname: match[1], port: Number(match[2]) };
}

/** Split at blanks; no shell reads it. */
function commandOf({ agent, agentCommand }: AgentChoice) {
  if (agentCommand === undefined) return {};
  if (agent !== "acp") throw wrong("--agent-command", "it goes with --agent acp");
  return { command: agentCommand.trim().split(/\s+/) };
}

/** An option of a command that makes a loop cannot be used. */
export function wrong(path: string, message: string): Fault {
  return new Fault("invalid_input", { what: "loop", issues: [{ path, message }] });
}
