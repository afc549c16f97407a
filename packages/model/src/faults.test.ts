import { expect, test } from "bun:test";
import { Script } from "@ralpher/contract";
import { dialects, post, user } from "./dialect.fixture.ts";
import { openModelServer } from "./model-server.ts";

const open = (...steps: unknown[]) => openModelServer({ script: Script.parse({ conversations: [{ steps }] }) });

/** Read a stream until it ends or breaks; what was read, and how it ended. */
async function readAll(response: Response): Promise<{ text: string; broken: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
    return { text, broken: false };
  } catch {
    return { text, broken: true };
  }
}

for (const dialect of dialects) {
  const { name } = dialect;
  const anthropic = name === "anthropic";
  const ask = (url: string, init: Parameters<typeof post>[3] = {}, stream = true) =>
    post(url, dialect, dialect.body([user("go")], [], { stream }), init);

  test(`${name}: a status fault is the provider's error with its retry-after`, async () => {
    await using server = open({ fault: { kind: "status", status: 429, retryAfterSeconds: 2, message: "slow down" } });
    const response = await ask(server.url);
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("2");
    expect(response.headers.has("retry-after-ms")).toBe(false);
    const body = await response.json();
    expect(body.error.message).toBe("slow down");
    expect(dialect.errorCode(body)).toBe(anthropic ? "rate_limit_error" : "rate_limit_exceeded");
  });

  test(`${name}: part of a second is told in milliseconds`, async () => {
    await using server = open({ fault: { kind: "status", status: 503, retryAfterSeconds: 0.25 } });
    const { headers } = await ask(server.url);
    expect([headers.get("retry-after"), headers.get("retry-after-ms")]).toEqual(["1", "250"]);
  });

  test(`${name}: each status has the provider's code`, async () => {
    const codes = anthropic
      ? { 401: "authentication_error", 403: "permission_error", 500: "api_error", 529: "overloaded_error" }
      : { 401: "invalid_api_key", 403: "permission_denied", 500: "server_error", 529: "server_error" };
    for (const [status, code] of Object.entries(codes)) {
      await using server = open({ fault: { kind: "status", status: Number(status) } });
      const response = await ask(server.url);
      expect([response.status, dialect.errorCode(await response.json())]).toEqual([Number(status), code]);
    }
  });

  test(`${name}: a fault with times is over after that many answers to the session`, async () => {
    await using server = open({ text: "well again", fault: { kind: "status", status: 500, times: 2 } });
    const statuses = async (headers: Record<string, string>) => {
      const all: number[] = [];
      for (let i = 0; i < 4; i++) all.push((await ask(server.url, { headers })).status);
      return all;
    };
    expect(await statuses({ "x-session-id": "a" })).toEqual([500, 500, 200, 200]);
    expect(await statuses({ "x-session-id": "b" })).toEqual([500, 500, 200, 200]);
    expect(await statuses({})).toEqual([500, 500, 200, 200]);
  });

  test(`${name}: overflow is the provider's error for a prompt that is too long`, async () => {
    await using server = open({ fault: { kind: "overflow" } });
    const response = await ask(server.url);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(dialect.errorCode(body)).toBe(anthropic ? "invalid_request_error" : "context_length_exceeded");
    expect(body.error.message).toContain(anthropic ? "prompt is too long" : "maximum context length");
  });

  test(`${name}: what overflows cannot be summed up either, so an agent that shortens its context ends`, async () => {
    const script = Script.parse({
      conversations: [{ when: "long", steps: [{ fault: { kind: "overflow" } }] }, { steps: [{ text: "fine" }] }],
    });
    await using server = openModelServer({ script });
    const sumUp = async (prompt: string) => {
      const body = dialect.body([user(prompt)], [], dialect.system("You are a context summarization agent."));
      return (await post(server.url, dialect, body)).status;
    };
    expect([await sumUp("a long story"), await sumUp("a short one")]).toEqual([400, 200]);
    expect(server.requests.map((request) => [request.sideCall, request.stepIndex])).toEqual([
      ["summary", null],
      ["summary", null],
    ]);
  });

  test(`${name}: a cut stream breaks after half of the text`, async () => {
    await using server = open({ text: "one two three four", fault: { kind: "cut" } });
    const { text, broken } = await readAll(await ask(server.url));
    expect(broken).toBe(true);
    expect(text).toContain("two ");
    expect(text).not.toContain("three");
    expect(text).not.toContain(anthropic ? "message_stop" : "[DONE]");
  });

  test(`${name}: a cut whole answer breaks as well`, async () => {
    await using server = open({ text: "one two three four", fault: { kind: "cut" } });
    const { text, broken } = await readAll(await ask(server.url, {}, false));
    expect(broken).toBe(true);
    expect(() => JSON.parse(text)).toThrow();
  });

  test(`${name}: a stalled stream says its text and stays open until the client leaves`, async () => {
    await using server = open({ text: "one two", tools: [{ name: "read" }], fault: { kind: "stall" } });
    const client = new AbortController();
    const response = await ask(server.url, { signal: client.signal });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("two")) text += new TextDecoder().decode((await reader?.read())?.value);
    const rest = reader?.read();
    // A whole other answer comes and goes while the stalled one says nothing.
    const other = await post(server.url, dialect, dialect.body([user("go"), { role: "assistant", content: "." }]));
    expect(dialect.hearWhole(await other.json()).text).toBe("The script is over.");
    expect(await Promise.race([rest, Promise.resolve("silence")])).toBe("silence");
    client.abort();
    expect((await rest?.catch((error: Error) => error.name)) as unknown).toBe("AbortError");
  });

  test(`${name}: closing the server ends answers that stall or wait`, async () => {
    const server = open({ text: "one", fault: { kind: "stall" } }, { text: "late", delayMs: 2 ** 30 });
    const stalled = readAll(await ask(server.url));
    const waiting = post(server.url, dialect, dialect.body([user("go"), { role: "assistant", content: "." }])).then(
      () => "answered",
      () => "broken",
    );
    while (server.requests.length < 2) await Bun.sleep(1);
    await server[Symbol.asyncDispose]();
    expect((await stalled).broken).toBe(true);
    expect(await waiting).toBe("broken");
  });
}
