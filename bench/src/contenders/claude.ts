import { query } from "@anthropic-ai/claude-agent-sdk";
import { createClaudeBackend, narrow, offlineClaudeEnvironment } from "@ralpher/agent";
import { type Contender, type Ground, openModel, prompt, requireAnswer } from "./contender.ts";

const model = { providerID: "anthropic", modelID: "claude-sonnet-4-5" };

/** A fresh process for each turn, both ways. */
export async function openClaude({ home, directory, outputs }: Ground): Promise<Contender> {
  const server = openModel({ name: "Read", input: { file_path: `${directory}/notes.txt` } });
  const env = await offlineClaudeEnvironment({ home, modelUrl: server.url });
  const backend = createClaudeBackend({ env });
  return {
    name: "claude",
    async direct() {
      let text: string | undefined;
      const options = {
        cwd: directory,
        env,
        model: model.modelID,
        systemPrompt: { type: "preset" as const, preset: "claude_code" as const },
        settingSources: ["user" as const, "project" as const, "local" as const],
        allowedTools: ["Read"],
      };
      for await (const message of query({ prompt, options })) {
        if (message.type === "result" && message.subtype === "success") text = message.result;
      }
      requireAnswer(text);
    },
    async ours() {
      requireAnswer((await narrow({ backend, directory, outputs, model, prompt })).text);
    },
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
