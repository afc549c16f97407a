import { agentConformance } from "../../conformance.ts";
import { openStage } from "./stage.fixture.ts";

agentConformance("opencode", async ({ conversations }) => {
  const stage = await openStage({ conversations });
  const { backend, model } = await stage.request();
  return {
    backend: stage.backend,
    request: { backend, model },
    wrongModel: { backend, model: { providerID: "scripted", modelID: "no-such-model" } },
    contextSizes: (sessionId) =>
      stage.model.requests.flatMap(({ session, messageCount }) => (session === sessionId ? [messageCount] : [])),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
});
