import type { ToolAccess } from "@ralpher/contract";
import { closedRules, inheritedRules, openRules, type Rule } from "../../programs/opencode/permission-rules.ts";
import { answer } from "./answer.ts";
import type { OpencodeServer } from "./server.ts";

/**
 * The rules of a session for what its agent may do.
 * @throws Unusable
 */
export async function readSessionRules(
  { client }: OpencodeServer,
  directory: string,
  access: ToolAccess | undefined,
): Promise<Rule[]> {
  if (access === undefined) return openRules;
  const agents = await answer(client.app.agents({ directory }), "list its agents");
  // opencode lists the one that it takes unasked before the others of its mode.
  const own = agents.find(({ mode, hidden }) => mode !== "subagent" && hidden !== true)?.permission ?? [];
  if (!access.kinds.includes("delegate")) return closedRules(access, own);
  const ids = await answer(client.tool.ids({ directory }), "list its tools");
  const servers = await answer(client.mcp.status({ directory }), "list its MCP servers");
  return inheritedRules(access, own, [...ids, ...Object.keys(servers).map(toolsOfServer)]);
}

/** How opencode names the tools of an MCP server. */
const toolsOfServer = (server: string) => `${server.replace(/[^a-zA-Z0-9_-]/g, "_")}_*`;
