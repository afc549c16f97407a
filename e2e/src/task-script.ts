import type { StepReport } from "@ralpher/contract";
import { type SodaAgent, shellOf } from "./soda-script.ts";

/**
 * Script for the model behind one step of a task: the agent runs a command for its work, then reports. `iteration`: only
 * in this one; such ones go before those for all.
 */
export function step(
  agent: SodaAgent,
  key: string,
  { command = "true", iteration, ...report }: { command?: string; iteration?: number } & Partial<StepReport> = {},
) {
  const now = iteration === undefined ? "" : `iteration ${iteration}`;
  return [
    {
      when: iteration === undefined ? `# Your step\n\n${key}` : `This is ${now};`,
      steps: [
        { text: `I work on ${key}.`, tools: [{ name: shellOf[agent], input: { command, description: "Work" } }] },
        { text: "That is it." },
      ],
    },
    {
      when: iteration === undefined ? `Now report on the step "${key}"` : `as you leave it in ${now}.`,
      steps: [{ structured: { result: "success", action: "write_code", summary: `${key}: worked on`, ...report } }],
    },
  ];
}
