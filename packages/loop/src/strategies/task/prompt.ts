import type { Injection, KnownStep, TaskFile } from "@ralpher/contract";

export interface StepGround {
  vault: string;
  iteration: number;
  file: TaskFile;
  step: KnownStep;
  /** The command that must end with 0 afterwards. */
  verify: string | null;
  /** Why the step is not done yet, of an earlier iteration. */
  feedback: string | null;
  injection: Pick<Injection, "text" | "priority"> | null;
  /** What humans said. */
  said: string[];
}

const longestFile = 100_000;

/** What the agent reads to work on one step. Its session is fresh: all that is known is here and in the files. */
export function stepPrompt({ vault, iteration, file, step, verify, feedback, injection, said }: StepGround): string {
  const parts = [
    `You work on one step of a task, alone, in ${vault}. This is iteration ${iteration}; you have no memory of earlier ones: what is known is in the files.`,
    `# The task: ${file.title}\n\nIts file is ${file.path.replace(/^\//, "")} in that folder:\n\n${fence(cut(file.text))}`,
    `# Your step\n\n${step.text}${step.path.length === 0 ? "" : `\n\nIt belongs to: ${step.path.join(" › ")}`}`,
    ...(injection === null ? [] : [injected(injection)]),
    ...(said.length === 0 ? [] : [`# A human who watches says to you now\n\n${said.join("\n\n")}`]),
    ...(feedback === null
      ? []
      : [`# It was tried before\n\nThis is why the step is not done yet:\n\n${fence(feedback)}`]),
    rules(verify),
  ];
  return `${parts.join("\n\n")}\n`;
}

function injected({ text, priority }: Pick<Injection, "text" | "priority">): string {
  const urgent = priority === "high" ? ", and it counts more than what the file says" : "";
  return `# From a human, put down for you${urgent}\n\n${text.trim()}`;
}

function rules(verify: string | null): string {
  const check =
    verify === null
      ? "Check that it is done before you stop."
      : `When you stop, this command is run in the folder, and must end with 0: \`${verify}\`. Run it yourself first.`;
  return `# The rules

1. Do this step, wholly, and nothing of the steps after it.
2. ${check}
3. Leave the check boxes and the front matter of the task's file alone, and the file where it is: they are seen to for you. So are commits; do not push.
4. Nobody answers questions: decide, and write down why where the next step will find it.`;
}

/** Asked afterwards, in the same conversation. */
export function reportPrompt(step: string, iteration: number): string {
  return `Now report on the step "${step}", as you leave it in iteration ${iteration}.

- result: "success" only when the step is wholly done and checked; "partial" when you got on and more is to do; "failure" when you could not.
- action: what you did in a word or two, like write_code or run_tests.
- summary: what you did, in one to three sentences.
- error: what went wrong or is missing, if anything.
- next_action: what should be done next, if you know.`;
}

function cut(text: string): string {
  return text.length <= longestFile ? text : `${text.slice(0, longestFile)}\n… (cut; the file is longer)`;
}

/** In a fence longer than any within. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text.trimEnd()}\n${ticks}`;
}
