import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { createAcpBackend, narrow, offlineOpencodeEnvironment } from "@ralpher/agent";
import { type Contender, type Ground, openModel, prompt, requireAnswer } from "./contender.ts";
import { opencode, readNotes } from "./opencode.ts";

/** `opencode acp`: a fresh process for each turn, both ways. */
export async function openAcp({ home, directory, outputs }: Ground): Promise<Contender> {
  const server = openModel(readNotes);
  const env = await offlineOpencodeEnvironment({ home, modelUrl: server.url });
  const command = [opencode, "acp"];
  const backend = createAcpBackend({ command, env });
  return {
    name: "acp (opencode)",
    async direct() {
      const agent = Bun.spawn(command, { env, cwd: directory, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
      const input = new WritableStream<Uint8Array>({
        async write(chunk) {
          agent.stdin.write(chunk);
          await agent.stdin.flush();
        },
      });
      let text = "";
      const connection = client({ name: "bench" })
        .onNotification(methods.client.session.update, ({ params: { update } }) => {
          if (update.sessionUpdate === "tool_call") text = "";
          if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
            text += update.content.text;
        })
        .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => ({
          outcome: { outcome: "selected" as const, optionId: options[0]?.optionId ?? "" },
        }))
        .connect(ndJsonStream(input, agent.stdout));
      await connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
      const session = await connection.agent.request(methods.agent.session.new, { cwd: directory, mcpServers: [] });
      const { sessionId } = session;
      await connection.agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text: prompt }],
      });
      await agent.stdin.end();
      await agent.exited;
      requireAnswer(text);
    },
    async ours() {
      requireAnswer((await narrow({ backend, directory, outputs, prompt })).text);
    },
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
