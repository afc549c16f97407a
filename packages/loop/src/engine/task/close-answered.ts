import type { HandOffChoice, LoopView, TaskPlace, Vault } from "@ralpher/contract";

const words: Record<HandOffChoice | "by hand", string> = {
  retry: "It tries again.",
  more_iterations: "It goes on, with as many iterations again.",
  skip_step: "The step was ticked as it is, and it goes on with the next.",
  complete: "The task counts as done as it is.",
  reject: "The task was called off.",
  "by hand": "It was started again by hand.",
};

const moved: Partial<Record<TaskPlace, string>> = {
  done: "Its file was moved to where finished tasks lie: it counts as done.",
  rejected: "Its file was moved to where rejected tasks lie: it was called off.",
};

/** Say below what was asked before what came of it, once. `skipped`: what a skipped step's tick came to; `place`: where its file is. */
export async function closeAnswered(
  vault: Vault,
  { task }: LoopView,
  { skipped = null, place }: { skipped?: "ticked" | "done" | "missing" | null; place: TaskPlace },
): Promise<void> {
  const handOff = task?.handOff ?? null;
  if (handOff === null || handOff.closed) return;
  const answer = handOff.answer ?? "by hand";
  const isMissed = answer === "skip_step" && (skipped === null || skipped === "missing");
  const wording = (answer === "by hand" ? moved[place] : undefined) ?? words[answer];
  const outcome = isMissed ? "It goes on; the step is no longer in the task's file." : wording;
  await vault.closeHandOff(handOff.path, outcome);
}
