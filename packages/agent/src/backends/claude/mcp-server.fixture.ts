/** A minimal MCP server on standard input and output, with one tool that makes a file: for tests of the user's set-up. */
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , file = ""] = process.argv;
const answers: Record<string, (params: { protocolVersion?: string }) => unknown> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "user", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [{ name: "leave", description: "Leave a file", inputSchema: { type: "object", properties: {} } }],
  }),
  "tools/call": () => {
    writeFileSync(file, "left");
    return { content: [{ type: "text", text: "Left." }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params) ?? {} }));
}
