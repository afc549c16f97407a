/**
 * A stand-alone agent for protocol.test.ts that speaks the protocol and does odd things, one for each prompt. It has no
 * model: what real agents do is shown by real agents. Sessions are kept in the file that ODD_SESSIONS names, if it does.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { agent, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const kept = process.env.ODD_SESSIONS;
const hasModels = process.env.ODD_MODELS ?? "none";
const modes = { currentModeId: "yolo", availableModes: ["yolo", "ask"].map((id) => ({ id, name: id })) };
const models = {
  currentModelId: "old",
  availableModels: ["old", "new"].map((modelId) => ({ modelId, name: modelId })),
};
const group = { group: "g", name: "G", options: ["a/small", "a/large"].map((value) => ({ value, name: value })) };
const options = [
  { type: "select", id: "llm", name: "LLM", category: "model", currentValue: "a/small", options: [group] },
];
const state = {
  modes,
  ...(hasModels === "former" ? { models } : {}),
  ...(hasModels === "options" ? { configOptions: options } : {}),
};

let mode = modes.currentModeId;
let model = "default";
let cost = 0;
const cancelled = Promise.withResolvers<void>();

const anything = (params: unknown) => params as Record<string, string>;

const output = new WritableStream<Uint8Array>({
  write(chunk) {
    process.stdout.write(chunk);
  },
});

agent({ name: "odd" })
  .onRequest("initialize", anything, () => ({
    protocolVersion: Number(process.env.ODD_VERSION ?? 1),
    agentCapabilities: { loadSession: kept !== undefined },
    ...(process.env.ODD_NAMELESS ? {} : { agentInfo: { name: "odd", version: "7.0.0" } }),
  }))
  .onRequest("session/new", anything, () => {
    const sessionId = crypto.randomUUID();
    if (kept !== undefined) appendFileSync(kept, `${sessionId}\n`);
    return { sessionId, ...state };
  })
  .onRequest("session/load", anything, async ({ params: { sessionId = "" }, client }) => {
    if (kept === undefined || !existsSync(kept) || !readFileSync(kept, "utf8").includes(sessionId)) {
      throw RequestError.sessionNotFound(sessionId);
    }
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "What was said before." } };
    await client.notify("session/update", { sessionId, update });
    return state;
  })
  .onRequest("session/set_mode", anything, ({ params }) => {
    mode = params.modeId ?? "";
    return {};
  })
  .onRequest("session/set_model", anything, ({ params }) => {
    model = params.modelId ?? "";
    return {};
  })
  .onRequest("session/set_config_option", anything, ({ params }) => {
    if (!group.options.some(({ value }) => value === params.value))
      throw RequestError.invalidParams(undefined, "what?");
    model = params.value ?? "";
    return { configOptions: options };
  })
  .onRequest("session/prompt", async ({ params: { sessionId, prompt }, client }) => {
    const [block] = prompt;
    const asked = block?.type === "text" ? block.text : "";
    // As a stranger's agent would send it, right or wrong.
    const send = (update: Record<string, unknown>) => client.notify<unknown>("session/update", { sessionId, update });
    const say = (text: string, more: Record<string, unknown> = {}) =>
      send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more });
    const ask = async (toolCall: Record<string, unknown>, kinds = ["allow_once", "reject_once"]) => {
      const choices = kinds.map((kind) => ({ optionId: `my ${kind}`, name: kind, kind }));
      const params = { sessionId, toolCall, options: choices };
      const answer = await client.request<{ outcome: unknown }>("session/request_permission", params);
      await say(JSON.stringify(answer.outcome));
    };
    switch (asked) {
      case "die":
        console.error("the last words");
        process.exit(9);
        break;
      case "hang":
        await say("I hang.");
        await new Promise(() => {});
        break;
      case "speak when cancelled":
        await cancelled.promise;
        await say("I stop.");
        return { stopReason: "cancelled" };
      case "future":
        await send({ sessionUpdate: "something_new", of: [1, 2] });
        await send({ sessionUpdate: "agent_message_chunk", content: { type: "hologram" } });
        await send({ sessionUpdate: "tool_call", title: "no id" });
        await client.notify("_odd/thing", { a: 1 });
        await client.notify("session/update", "nothing");
        await say("I come from the future.");
        break;
      case "interrupt":
        await say("One ", { messageId: "m" });
        await send({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" }, messageId: "m" });
        await say("two", { messageId: "m" });
        await say("three", { messageId: "n" });
        await say(" four", { messageId: "n" });
        break;
      case "ask for a mystery":
        await ask({ toolCallId: "1", title: "Mystery", kind: "teleport", rawInput: { to: "Mars" } });
        break;
      case "ask for a nameless file":
        await ask({ toolCallId: "1", title: "Read", kind: "read" });
        break;
      case "ask before saying which file":
        await send({ sessionUpdate: "tool_call", toolCallId: "1", title: "read", kind: "read", status: "pending" });
        void ask({ toolCallId: "1", title: "Read", kind: "read" });
        await send({ sessionUpdate: "tool_call_update", toolCallId: "1", rawInput: { path: "a.txt" } });
        await send({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed", rawOutput: "a" });
        break;
      case "ask for ever":
        await ask({ toolCallId: "1", title: "ls", kind: "execute" }, ["allow_always", "reject_always"]);
        break;
      case "ask nothing":
        await ask({ toolCallId: "1", title: "ls", kind: "execute" }, []);
        break;
      case "do not ask":
        await send({
          sessionUpdate: "tool_call",
          toolCallId: "1",
          title: "shell",
          kind: "execute",
          status: "in_progress",
        });
        await send({ sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" });
        await say("I go on as if nothing were.");
        await new Promise(() => {});
        break;
      case "write":
        for (const path of ["deep/in/it.txt", "../outside.txt"]) {
          const answer = await client.request("fs/write_text_file", { sessionId, path, content: "written" }).then(
            () => "written",
            (error: unknown) => String(error),
          );
          await say(`${path}: ${answer}\n`);
        }
        break;
      case "stop oddly":
        return { stopReason: "bored" } as never;
      case "stop at the limit":
        return { stopReason: "max_turn_requests" };
      case "spend":
        cost += 0.25;
        await send({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: cost, currency: "USD" } });
        break;
      case "spend and go on":
        cost += 0.75;
        await send({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: cost, currency: "USD" } });
        await say("There is more to buy.");
        await new Promise(() => {});
        break;
      case "log in":
        throw RequestError.authRequired();
      case "how are you set?":
        await say(`${mode}, ${model}`);
        break;
      default:
        await say(`You said: ${asked}`);
    }
    return { stopReason: "end_turn" };
  })
  // One that hangs does not obey.
  .onNotification("session/cancel", () => cancelled.resolve())
  .connect(ndJsonStream(output, Bun.stdin.stream()));
