import { dirname, join } from "node:path";
import { createOpencodeClient, type OpencodeClient } from "@opencode-ai/sdk/v2/client";
import { createOpencodeBackend, narrow, offlineOpencodeEnvironment } from "@ralpher/agent";
import { type Contender, type Ground, openModel, prompt, requireAnswer } from "./contender.ts";

export const opencode = join(
  dirname(Bun.resolveSync("opencode-ai/package.json", join(import.meta.dir, "../../.."))),
  "bin/opencode.exe",
);
export const readNotes = { name: "read", input: { filePath: "notes.txt" } };
const model = { providerID: "scripted", modelID: "model" };

/**
 * Each way on a server of its own that is warm. The SDK is used with its event stream, which the other SDKs' turns have
 * in them: without it nobody sees what the agent does until the turn is over, and opencode saves the work of telling.
 */
export async function openOpencode({ home, directory, outputs }: Ground): Promise<Contender> {
  const server = openModel(readNotes);
  const env = await offlineOpencodeEnvironment({ home, modelUrl: server.url });
  const plain = Bun.spawn([opencode, "serve", "--port", "0"], { env, cwd: "/", stdout: "pipe", stderr: "ignore" });
  const client = createOpencodeClient({ baseUrl: await urlOf(plain.stdout) });
  const backend = createOpencodeBackend({ command: opencode, env });
  const seen = await listen(client, directory);
  return {
    name: "opencode",
    async direct() {
      const { data: session } = await client.session.create({ directory, title: "bench" });
      const idle = seen(session?.id ?? "");
      const parts = [{ type: "text" as const, text: prompt }];
      const { data: said } = await client.session.prompt({ sessionID: session?.id ?? "", directory, model, parts });
      requireAnswer(said?.parts.findLast((part) => part.type === "text")?.text);
      await idle;
    },
    async ours() {
      requireAnswer((await narrow({ backend, directory, outputs, model, prompt })).text);
    },
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      plain.kill();
      await plain.exited;
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Follow the server's events. Returns what resolves when a session's turn is told to be over. */
async function listen(client: OpencodeClient, directory: string) {
  const waiting = new Map<string, () => void>();
  const { stream } = await client.event.subscribe({ directory }, { sseMaxRetryAttempts: 1 });
  void (async () => {
    for await (const event of stream) {
      if (event.type === "session.idle") waiting.get(event.properties.sessionID)?.();
    }
  })().catch(() => {}); // it ends with the server
  return (sessionId: string) => new Promise<void>((resolve) => waiting.set(sessionId, resolve));
}

async function urlOf(output: ReadableStream<Uint8Array>): Promise<string> {
  let said = "";
  const decoder = new TextDecoder();
  for await (const bytes of output) {
    said += decoder.decode(bytes, { stream: true });
    const url = /listening on (http:\/\/\S+)\s/.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`opencode did not listen: ${said}`);
}
