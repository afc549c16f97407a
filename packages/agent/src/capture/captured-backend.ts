import { type AgentBackend, addUsage, type SessionRequest, type Turn, unknownUsage } from "@ralpher/contract";
import { captureSession } from "./captured-session.ts";
import { openCapture } from "./open-capture.ts";

/** The backend, with every conversation captured in the folder that `folderOf` says: absolute path. */
export function captureBackend(backend: AgentBackend, folderOf: (request: SessionRequest) => string): AgentBackend {
  const { type, capabilities, environment } = backend;
  return {
    type,
    capabilities,
    environment,
    open(request) {
      const agentType = request.agentType ?? "loop";
      const capture = openCapture({ folder: folderOf(request), agentType, environment, request });
      const session = captureSession(backend.open(request), capture);
      const started = performance.now();
      const turns: Turn[] = [];
      return {
        turn(prompt, options) {
          const turn = session.turn(prompt, options);
          turns.push(turn);
          return turn;
        },
        async [Symbol.asyncDispose]() {
          await session[Symbol.asyncDispose]();
          const results = await Promise.all(turns.map(({ result }) => result));
          const usage = results.reduce((sum, result) => addUsage(sum, result.usage), unknownUsage);
          await capture.close({
            outcome: results.at(-1)?.outcome ?? null,
            usage,
            durationMs: Math.round(performance.now() - started),
          });
        },
      };
    },
    health: (config) => backend.health(config),
    models: (request) => backend.models(request),
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  };
}
