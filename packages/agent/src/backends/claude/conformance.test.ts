import { agentConformance } from "../../conformance.ts";
import { openStage } from "./stage.fixture.ts";

agentConformance(
  "claude",
  {
    write: (file_path, content) => ({ name: "Write", input: { file_path, content } }),
    read: (file_path) => ({ name: "Read", input: { file_path } }),
    run: (command) => ({ name: "Bash", input: { command, description: "Test" } }),
    ask: (question) => ({
      name: "AskUserQuestion",
      input: {
        questions: [
          {
            question,
            header: "Question",
            multiSelect: false,
            options: [
              { label: "Yes", description: "Do it" },
              { label: "No", description: "Leave it" },
            ],
          },
        ],
      },
    }),
  },
  async ({ conversations }) => {
    const stage = await openStage({ conversations });
    const { backend, model } = await stage.request();
    const asked = (sessionId: string) =>
      stage.model.requests.filter(({ session, sideCall }) => session === sessionId && sideCall === null);
    return {
      backend: stage.backend,
      request: { backend, model },
      wrongModel: { backend, model: { providerID: "anthropic", modelID: "no-such-model" } },
      contextSizes: (sessionId) => asked(sessionId).map(({ messageCount }) => messageCount),
      toolsOffered: (sessionId) => asked(sessionId).at(-1)?.tools ?? null,
      disconnect: async () => await stage.model[Symbol.asyncDispose](),
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    };
  },
);
