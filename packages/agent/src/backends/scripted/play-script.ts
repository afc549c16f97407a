import {
  type AgentEvent,
  addUsage,
  matchConversation,
  type ScriptedFault,
  type ScriptStep,
  type TurnFailure,
  unknownUsage,
} from "@ralpher/contract";
import { reasonOfStatus } from "../../http-failure.ts";
import type { Play } from "./play.ts";
import { readScript } from "./read-script.ts";
import { pause, piecesOf, say, sayDeltas, splitWords, untilAborted } from "./say.ts";
import { runTool } from "./tools.ts";

/**
 * Plays the script that the request names: the conversation that matches the prompt, step by step, until a step asks for
 * no tool. Answers that are faulty a number of times are counted over all sessions, for a loop tries again in a fresh one.
 */
export function createScriptPlayer(): Play {
  const tally = new Map<string, number>();

  function faultOf(step: ScriptStep, place: string): ScriptedFault | null {
    if (step.fault === undefined) return null;
    if (step.fault.kind !== "status" || step.fault.times === undefined) return step.fault;
    const count = (tally.get(place) ?? 0) + 1;
    tally.set(place, count);
    return count <= step.fault.times ? step.fault : null;
  }

  return async function* play({ prompt, prompts, sessionId, request, options, signal }) {
    const path = request.backend.script ?? "";
    const script = await readScript(path);
    const conversation = matchConversation(script, prompt);
    const steps = conversation?.steps ?? [saying("No conversation of the script matches this prompt.")];
    const hasForm = options.output !== undefined;
    let usage = unknownUsage;
    for (let index = 0; ; index++) {
      const step = steps[index] ?? saying("The script is over.");
      const id = `${sessionId}-${prompts.length}-${index}`;
      await pause(step.delayMs, signal);
      const fault = faultOf(step, `${path}\n${conversation?.when}\n${index}`);
      if (fault !== null) {
        yield* sayFaulty(id, step, fault, signal);
        return { outcome: "failed", failure: failureOf(fault), usage };
      }
      usage = addUsage(usage, { ...script.usage, costUsd: null });
      const pieces = piecesOf(step, hasForm);
      yield* say(`${id}-reasoning`, "reasoning", splitWords(step.reasoning ?? ""), step.deltaDelayMs, signal);
      yield* say(`${id}-text`, "text", pieces, step.deltaDelayMs, signal);
      yield { type: "usage", answers: index + 1, usage };
      for (const [at, tool] of step.tools.entries()) {
        const callId = `${id}-${at}`;
        yield { type: "tool.start", callId, name: tool.name, input: tool.input };
        yield { type: "tool.complete", tool: await runTool(tool, callId, request, signal) };
      }
      if (step.tools.length > 0) continue;
      const structured = hasForm && step.structured !== undefined ? { structured: step.structured } : {};
      return { outcome: "done", text: pieces.join(""), ...structured, usage };
    }
  };
}

/** What is still heard of a faulty answer. */
async function* sayFaulty(
  id: string,
  step: ScriptStep,
  fault: ScriptedFault,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, void> {
  if (fault.kind === "status" || fault.kind === "overflow") return;
  const pieces = piecesOf(step, false);
  const heard = fault.kind === "cut" ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces;
  if (fault.kind === "cut") return yield* say(`${id}-text`, "text", heard, step.deltaDelayMs, signal);
  yield* sayDeltas(`${id}-text`, "text", heard, step.deltaDelayMs, signal);
  await untilAborted(signal);
}

function failureOf(fault: ScriptedFault): TurnFailure {
  switch (fault.kind) {
    case "status":
      return {
        reason: reasonOfStatus(fault.status),
        message: fault.message ?? `The scripted model answered with status ${fault.status}.`,
        ...(fault.retryAfterSeconds === undefined ? {} : { retryAfterMs: Math.ceil(fault.retryAfterSeconds * 1000) }),
      };
    case "cut":
      return { reason: "connection", message: "The scripted model's answer was cut off." };
    case "overflow":
      return { reason: "overflow", message: "The prompt is longer than the scripted model's context." };
    case "stall":
      return { reason: "timeout", message: "The scripted model fell silent." };
  }
}

function saying(text: string): ScriptStep {
  return { text, repeat: 1, tools: [], delayMs: 0, deltaDelayMs: 0 };
}
