import { expect, setDefaultTimeout, test } from "bun:test";
import { createClaudeBackend } from "./backend.ts";
import { openStage } from "./stage.fixture.ts";

setDefaultTimeout(60_000);

test("Claude Code asks for nothing but the model", async () => {
  const asked: string[] = [];
  using proxy = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, bytes) {
        asked.push(bytes.toString().split("\r\n", 1)[0] ?? "");
        socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      },
    },
  });
  await using stage = await openStage({
    conversations: [{ steps: [{ tools: [{ name: "WebFetch", input: {} }] }, { text: "Hello." }] }],
  });
  const url = `http://127.0.0.1:${proxy.port}`;
  const env = { ...stage.env, HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: "127.0.0.1" };
  await using backend = createClaudeBackend({ env });
  const session = backend.open(await stage.request());
  expect(await session.turn("greet").result).toMatchObject({ outcome: "done", text: "Hello." });
  await session[Symbol.asyncDispose]();
  expect(asked).toEqual([]);
});
