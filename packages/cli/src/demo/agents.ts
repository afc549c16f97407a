import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault, type LoopSettings } from "@ralpher/contract";
import { type AgentOptions, offlineClaudeEnvironment, offlineOpencodeEnvironment } from "../compose.ts";

export type DemoAgentType = "opencode" | "claude" | "acp";

/** A tool call as the scripted model makes it. */
export type Call = { name: string; input: Record<string, unknown> };

/** What each agent calls its tools. */
export interface Dialect {
  read(path: string): Call;
  write(path: string, content: string): Call;
  edit(path: string, before: string, after: string): Call;
  run(command: string): Call;
}

const opencodeDialect: Dialect = {
  read: (filePath) => ({ name: "read", input: { filePath } }),
  write: (filePath, content) => ({ name: "write", input: { filePath, content } }),
  edit: (filePath, oldString, newString) => ({ name: "edit", input: { filePath, oldString, newString } }),
  run: (command) => ({ name: "bash", input: { command, description: "Run a command" } }),
};

const claudeDialect: Dialect = {
  read: (file_path) => ({ name: "Read", input: { file_path } }),
  write: (file_path, content) => ({ name: "Write", input: { file_path, content } }),
  edit: (file_path, old_string, new_string) => ({ name: "Edit", input: { file_path, old_string, new_string } }),
  run: (command) => ({ name: "Bash", input: { command, description: "Run a command" } }),
};

export const dialectOf = (type: DemoAgentType): Dialect => (type === "claude" ? claudeDialect : opencodeDialect);

/** An agent set up so that its only model is the scripted one, apart from everything of the user's. */
export interface DemoAgent {
  /** Which program works, for people. */
  program: string;
  agents: AgentOptions;
  settings: Pick<LoopSettings, "backend" | "model">;
}

/** @throws Fault `agent_missing` */
export async function prepareDemoAgent(
  type: DemoAgentType,
  where: { home: string; modelUrl: string; path: (path: string | undefined) => string },
): Promise<DemoAgent> {
  const backend = { type, mode: "spawn" as const };
  if (type === "claude") {
    const env = await offlineClaudeEnvironment(where);
    return {
      program: "Claude Code",
      agents: { claude: { env: { ...env, PATH: where.path(env.PATH) } } },
      settings: { backend, model: { providerID: "anthropic", modelID: "claude-sonnet-4-5" } },
    };
  }
  const opencode = requireOpencode();
  const plain = await offlineOpencodeEnvironment(where);
  const env = { ...plain, PATH: where.path(plain.PATH) };
  const model = { providerID: "scripted", modelID: "model" };
  const settings = { backend, model };
  return type === "acp"
    ? {
        settings,
        program: `opencode over the Agent Client Protocol (${opencode} acp)`,
        agents: { acp: { command: [opencode, "acp"], env } },
      }
    : { settings, program: `opencode (${opencode})`, agents: { opencode: { command: opencode, env } } };
}

/** The opencode that a checkout of Ralpher pins for demo and tests, else the user's own. @throws Fault `agent_missing` */
function requireOpencode(): string {
  const path = findPinned() ?? Bun.which("opencode");
  if (path !== null) return path;
  throw new Fault("agent_missing", { agent: "opencode", install: 'Install it with "npm install -g opencode-ai".' });
}

function findPinned(): string | null {
  const root = join(import.meta.dir, "../../../..");
  try {
    const path = join(dirname(Bun.resolveSync("opencode-ai/package.json", root)), "bin", "opencode.exe");
    return existsSync(path) ? path : null;
  } catch {
    return null; // not a checkout
  }
}
