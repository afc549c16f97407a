import { agentConformance, type Dialect } from "../../conformance.ts";
import { openStage } from "./stage.fixture.ts";

const dialect: Dialect = {
  write: (filePath, content) => ({ name: "write", input: { filePath, content } }),
  read: (filePath) => ({ name: "read", input: { filePath } }),
  run: (command) => ({ name: "bash", input: { command, description: "Run it" } }),
  ask: (question) => ({
    name: "question",
    input: { questions: [{ question, header: "Question", options: [{ label: "Yes", description: "" }] }] },
  }),
};

agentConformance("opencode", dialect, async ({ conversations }) => {
  const stage = await openStage({ conversations, price: { input: 3, output: 15 } });
  const { backend, model } = await stage.request();
  const requestsOf = (sessionId: string) =>
    stage.model.requests.filter(({ session, sideCall }) => session === sessionId && sideCall === null);
  return {
    backend: stage.backend,
    request: { backend, model },
    wrongModel: { backend, model: { providerID: "scripted", modelID: "no-such-model" } },
    contextSizes: (sessionId) => requestsOf(sessionId).map(({ messageCount }) => messageCount),
    toolsOffered: (sessionId) => requestsOf(sessionId).at(-1)?.tools ?? null,
    disconnect: async () => await stage.model[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
});
