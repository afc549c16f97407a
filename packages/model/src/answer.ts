import type { Script, ScriptStep } from "@ralpher/contract";
import { firstHalf, splitEvenly, splitWords } from "./deltas.ts";
import type { Query } from "./query.ts";

/** The tool through which agents ask for structured output, on every wire format. */
const structuredTool = "StructuredOutput";

/** A tool call of an answer; its arguments as they are streamed, possibly not valid JSON. */
interface AnswerCall {
  id: string;
  name: string;
  arguments: string[];
}

/** What the model says, before it is put into the words of one API. */
export interface Answer {
  id: string;
  model: string;
  reasoning: string[];
  text: string[];
  calls: AnswerCall[];
  usage: Script["usage"];
  /** Milliseconds between two deltas. */
  deltaDelayMs: number;
  /** `stall`: silence after the text, the connection stays open; `cut`: the connection breaks after the text. */
  ending: "whole" | "stall" | "cut";
}

/** An answer of text alone. */
export function createTextAnswer(text: string, query: Query, usage: Script["usage"]): Answer {
  return {
    id: freshId(),
    model: query.model,
    reasoning: [],
    text: splitWords(text),
    calls: [],
    usage,
    deltaDelayMs: 0,
    ending: "whole",
  };
}

/** The answer a step of the script describes. */
export function createStepAnswer(step: ScriptStep, query: Query, usage: Script["usage"]): Answer {
  const answer = createTextAnswer("", query, usage);
  const { text = "", reasoning = "", structured } = step;
  answer.reasoning = splitWords(reasoning);
  answer.text = step.repeat > 1 && text !== "" ? new Array<string>(step.repeat).fill(text) : splitWords(text);
  answer.calls = step.tools.map((tool) => createCall(tool.name, tool.rawInput ?? JSON.stringify(tool.input)));
  if (structured !== undefined) {
    if (query.tools.includes(structuredTool)) answer.calls.push(createCall(structuredTool, JSON.stringify(structured)));
    else answer.text.push(...splitWords(`${text === "" ? "" : "\n\n"}${fenced(structured)}`));
  }
  answer.deltaDelayMs = step.deltaDelayMs;
  if (step.fault?.kind === "stall") answer.ending = "stall";
  if (step.fault?.kind === "cut") {
    answer.ending = "cut";
    answer.text = firstHalf(answer.text);
  }
  return answer;
}

function createCall(name: string, text: string): AnswerCall {
  return { id: freshId(), name, arguments: splitEvenly(text) };
}

function fenced(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** Agents tell answers and calls apart by their ids, over all sessions they ever had: never the same one twice. */
function freshId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
