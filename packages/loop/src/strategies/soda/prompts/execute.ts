import type { Regression, SodaTask, TestResult } from "@ralpher/contract";

export interface ExecuteGround {
  spec: string;
  plan: { intent: string; approach: string };
  task: { id: string; title: string; description: string; comments: { source: string; content: string }[] };
  baseline: TestResult;
  memory: string;
  hasCode: boolean;
  /** What humans said and no agent has heard yet. */
  said: string[];
}

/** The prompts of a bookended executor: what comes before, the work, and the questions after it (X-2). */
export interface ExecutePrompts {
  setUp: string;
  work: string;
  wrapUp: string;
}

/** The first executor of a task. */
export function executePrompts(ground: ExecuteGround): ExecutePrompts {
  const { spec, plan, task, memory } = ground;
  return {
    setUp: `${role}

The spec of the whole:
<spec>
${spec.trim()}
</spec>

This iteration: ${plan.intent}${plan.approach === "" ? "" : `\nApproach: ${plan.approach}`}

Your task is ${task.id}: ${task.title}
${task.description.trim()}
${commentsOf(task.comments)}${memoryOf(memory)}${humans(ground.said)}
${baselineOf(ground.baseline)}

Before you change anything, read what the task touches. Then say in a few lines what there is, and what you will do.`,
    work: `Now do the task ${named(task)}. ${ground.hasCode ? testFirst : layTheGround}\n\n${rules}`,
    wrapUp: wrapUp(task),
  };
}

/** An executor that mends what an earlier one made fail (X-3). */
export function mendPrompts(ground: ExecuteGround, { report, test }: SodaTask, regression: Regression): ExecutePrompts {
  const { task } = ground;
  const names = regression.tests.map((name) => `- ${name}`).join("\n");
  const tail =
    test?.kind === "ran" ? `\nThe end of what the tests printed:\n<output>\n${test.tail.trim()}\n</output>\n` : "";
  return {
    setUp: `${role}

The task is ${task.id}: ${task.title}
${task.description.trim()}
${humans(ground.said)}
Somebody has just worked on it; their changes lie uncommitted in this tree. They said: ${report?.summary ?? "nothing"}

Since then tests fail that did not fail before:
${names === "" ? (regression.note ?? "they got worse") : names}
${tail}
Read the changes (\`git diff HEAD\`) and what fails. Say in a few lines why.`,
    work: `Now mend the task ${named(task)}: make those tests pass again, with the task still done. Mend the code; change a test only where the task means it to say something else. Run the tests.\n\n${rules}`,
    wrapUp: wrapUp(task),
  };
}

const named = ({ id, title }: ExecuteGround["task"]) => `${id} (${title})`;

const role = `You are the executor in a SODA loop: an autonomous agent that does one task of a larger plan in this working tree. You start with no memory of earlier work: what is known is here, in the code and in git. Nobody answers questions: decide, and say why. If only a human can decide or provide something, leave the task blocked and say exactly what is needed.`;

const testFirst =
  "Test first: write a test that fails for the right reason, make it pass, clean up. Run the project's tests.";

const layTheGround =
  "There is no code yet. Lay the ground as the task says: the project's manifest, a source folder, a test folder, and one test that runs and passes with the project's usual test command. Build nothing of the spec beyond that.";

const rules =
  "Keep to this task. Do not commit, switch branches, merge or push: that is done for you. Do not write to the work items; `trc show ID` reads them.";

const wrapUp = (task: ExecuteGround["task"]) =>
  `Your work on ${named(task)} is over; change nothing more. Report. \`outcome\`: completed (done and proved), partial (something is done, more is to do), or blocked (with \`blocked_reason\`: what stands in the way, and what would free it). \`summary\`: what you did and how you proved it, for people. \`new_subtasks\`: work you found that is needed and not part of this task. \`learnings\`: what the next one to work here should know and cannot see quickly; few, or none.`;

function commentsOf(comments: ExecuteGround["task"]["comments"]): string {
  if (comments.length === 0) return "";
  return `\nWhat was said of it:\n${comments.map(({ source, content }) => `- ${source}: ${content}`).join("\n")}\n`;
}

function memoryOf(memory: string): string {
  return memory.trim() === "" ? "" : `\nWhat earlier work learned:\n${memory.trim()}\n`;
}

function humans(said: string[]): string {
  return said.length === 0 ? "" : `\nA human says to you now; heed it above the plan:\n${said.join("\n\n")}\n`;
}

const mostNames = 30;

function baselineOf(baseline: TestResult): string {
  if (baseline.kind === "none") return "The project has no tests that can be run yet.";
  const failing = baseline.failing ?? [];
  const counts =
    baseline.passed === null && baseline.failed === null
      ? `it ended with ${baseline.exitCode ?? "no"} exit code`
      : `${baseline.passed ?? "?"} pass, ${baseline.failed ?? "?"} fail`;
  const names = failing.slice(0, mostNames).map((name) => `\n- ${name}`);
  return `The tests before any work, with \`${baseline.command}\`: ${counts}.${names.length === 0 ? "" : ` These failed before you; they are not yours to answer for:${names.join("")}`}`;
}
