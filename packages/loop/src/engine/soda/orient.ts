import { type Claims, isRead, type Journal, type LoopId, Orientation } from "@ralpher/contract";
import { consistent } from "../../strategies/soda/consistent.ts";
import { orientPrompts } from "../../strategies/soda/prompts/orient.ts";
import { converse } from "../converse.ts";
import type { Performer } from "../execution.ts";
import { requireSoda } from "./requires.ts";

/** Have an agent verify the claims and plan; it can look and run the tests, and change nothing (O-1 to O-8). */
export const performOrient: Performer<"orient"> = async (execution, { iteration, attempt, said }, view) => {
  const { settings } = requireSoda(view);
  const claims = await requireClaims(execution.journal, view.id);
  const found = isRead(claims.survey) ? claims.survey.test_command : null;
  const testCommand = settings.test ?? found;
  const { pattern, before, last } = orientPrompts({ spec: view.config.prompt, claims, testCommand });
  const wanted = {
    iteration,
    attempt,
    role: "orient" as const,
    agentType: pattern,
    title: `${view.config.name}, iteration ${iteration}: orient`,
    prompt: before[0] ?? last,
    said,
    tools: { kinds: ["read" as const, "search" as const], commands: commandsOf(testCommand) },
  };
  await converse(execution, view, wanted, async (ask) => {
    for (const prompt of before) await ask(prompt);
    const { output } = await ask(last, Orientation);
    return [{ type: "loop.oriented", iteration, orientation: consistent(output, view.config.prompt), pattern }];
  });
};

/** What ORIENT may run: the tests, and what only looks. */
function commandsOf(testCommand: string | null): string[] {
  const looking = [
    "ls",
    "git log",
    "git show",
    "git diff",
    "git status",
    "trc show",
    "trc list",
    "trc tree",
    "trc ready",
  ];
  return testCommand === null ? looking : [testCommand, ...looking];
}

/** What this iteration sensed. */
export async function requireClaims(journal: Journal, loopId: LoopId): Promise<Claims> {
  const [sensed] = await journal.read({ loopId, types: ["loop.sensed"], newest: true, limit: 1 });
  if (sensed?.type !== "loop.sensed") throw new Error(`loop ${loopId} has sensed nothing`);
  return sensed.claims;
}
