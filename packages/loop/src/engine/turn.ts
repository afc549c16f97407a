import { type AgentEvent, type EventBody, Fault, openIteration, type TurnResult } from "@ralpher/contract";
import { compileStopPattern } from "../stop-pattern.ts";
import { createDeltaWindow } from "./delta-window.ts";
import type { Execution, Performer } from "./execution.ts";

/** Give the prompt to a fresh session (R-RUN-2) and record what the agent does, as it does it. */
export const performTurn: Performer<"turn"> = async (execution, step, view) => {
  const { record, backends, signal } = execution;
  const { iteration, attempt, prompt } = step;
  const { config, workspace } = view;
  const backend = backends.get(config.backend.type);
  if (backend === undefined) {
    throw new Fault("unknown_backend", { backend: config.backend.type, known: [...backends.keys()] });
  }
  const opening: EventBody[] =
    openIteration(view) === null ? [{ type: "loop.iteration.start", iteration, prompt }] : [];
  await record([...opening, { type: "loop.turn.start", iteration, attempt }]);

  await using session = backend.open({
    directory: workspace?.directory ?? config.directory,
    backend: config.backend,
    model: config.model,
    title: `${config.name}, iteration ${iteration}`,
    idleTimeoutMs: config.idleTimeoutSeconds * 1000,
    signal,
  });
  const turn = session.turn(prompt);
  const deltas = createDeltaWindow(execution, iteration);
  for await (const event of turn) {
    if (event.type === "message.delta") deltas.add(event);
    else {
      deltas.flush();
      await recordAgentEvent(execution, iteration, event);
    }
  }
  deltas.flush();
  await record([turnEnd(execution, iteration, await turn.result, compileStopPattern(config.stopPattern))]);
};

async function recordAgentEvent(
  { record, show }: Execution,
  iteration: number,
  event: Exclude<AgentEvent, { type: "message.delta" }>,
): Promise<void> {
  switch (event.type) {
    case "session.start":
      await record([{ type: "loop.session", iteration, session: event.session }]);
      return;
    case "message.complete": {
      const { messageId: id, kind, text: content } = event;
      await record([{ type: "loop.message", iteration, message: { id, role: "assistant", kind, content } }]);
      return;
    }
    case "tool.start":
      show({
        type: "loop.tool_call.start",
        iteration,
        tool: { id: event.callId, name: event.name, input: event.input },
      });
      return;
    case "tool.complete":
      await record([{ type: "loop.tool_call", iteration, tool: event.tool }]);
      return;
    case "notice":
      await record([{ type: "loop.notice", iteration, text: event.text }]);
  }
}

function turnEnd(
  { signal }: Execution,
  iteration: number,
  result: TurnResult,
  isPromise: (text: string) => boolean,
): EventBody {
  const { usage } = result;
  if (result.outcome === "done") return { type: "loop.turn.end", iteration, promised: isPromise(result.text), usage };
  // We ended it ourselves: that is no failure of the agent's, and the iteration can be taken up again.
  if (signal.aborted) return { type: "loop.interrupted", iteration, reason: String(signal.reason), usage };
  return { type: "loop.turn.end", iteration, promised: false, failure: result.failure, usage };
}
