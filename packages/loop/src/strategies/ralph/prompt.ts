import { defaultStopPattern, type LoopConfig, type LoopView } from "@ralpher/contract";

/**
 * What the agent reads in each iteration: the user's goal, unchanged, and the rules of the game. The agent's session is
 * fresh, so everything it should know of earlier iterations is in the files it is pointed to (R-RUN-8).
 */
export function ralphPrompt(config: LoopConfig, iteration: number, said: LoopView["said"] = []): string {
  const of = config.maxIterations === undefined ? "" : ` of at most ${config.maxIterations}`;
  return `${config.prompt.trim()}
${words(said)}
---
This is iteration ${iteration}${of} of an autonomous loop. You start with no memory of earlier iterations: what is known is in the files${config.git.enabled ? " and in git" : ""}.

1. Read .planning/plan.md (the plan) and .planning/status.md (what is done, what is next, what was learned). If they are missing, write them first.
2. Do the most important next piece of work, and check it: run the tests or whatever proves it.
3. Bring .planning/plan.md and .planning/status.md up to date, so that the next iteration can go on from them alone.

Nobody answers questions: decide, and write down why. ${config.git.enabled ? "All changes are committed for you when you finish; do not push. " : ""}${ending(config.stopPattern)}`;
}

/** What humans said since an agent last listened; it goes before the files, which are older. */
function words(said: LoopView["said"]): string {
  if (said.length === 0) return "";
  const all = said.map(({ text }) => text.trim()).join("\n\n");
  return `
---
A human who watches this loop says to you now; heed it above the plan, and note in the plan what should last:

${all}
`;
}

function ending(stopPattern: string): string {
  return stopPattern === defaultStopPattern
    ? "Only when the whole goal is reached and checked, end your last message with exactly <promise>COMPLETE</promise>. Otherwise end without it, and another iteration follows."
    : `The loop ends when your last message matches the regular expression ${stopPattern}; let it do so only when the whole goal is reached and checked.`;
}
