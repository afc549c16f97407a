import { type Claims, isRead, type OrientPattern } from "@ralpher/contract";

/** What ORIENT knows besides the claims. */
export interface OrientGround {
  spec: string;
  claims: Claims;
  /** How the tests are run; null when nothing says so. */
  testCommand: string | null;
}

/** The prompts of one conversation with ORIENT; the answer to the last one is the orientation. */
export interface OrientPrompts {
  pattern: OrientPattern;
  before: string[];
  last: string;
}

/** Up to so many characters of claims and spec one prompt carries well; above the second figure they come in pieces. */
const narrowUpTo = 16_000;
const walkUpTo = 80_000;

/** The pattern by the size of what there is to judge (O-8). */
export function orientPattern(size: number): OrientPattern {
  return size <= narrowUpTo ? "narrow" : size <= walkUpTo ? "walk" : "bookend";
}

export function orientPrompts(ground: OrientGround): OrientPrompts {
  const { spec, claims } = ground;
  const pattern = orientPattern(spec.length + JSON.stringify(claims).length);
  const role = roleOf(ground);
  const all = partsOf(claims)
    .map(({ name, value }) => section(name, value))
    .join("\n\n");
  const specText = section("The spec", spec.trim());
  switch (pattern) {
    case "narrow":
      return { pattern, before: [], last: [role, specText, all, verify, assess, plan, form].join("\n\n") };
    case "walk":
      return {
        pattern,
        before: [
          [role, specText, all, `First step.\n\n${verify}`, "Say in words what you found; the next step follows."].join(
            "\n\n",
          ),
          `Second step.\n\n${assess}\n\nSay in words what you found; the next step follows.`,
        ],
        last: `Last step.\n\n${plan}\n\n${form}`,
      };
    case "bookend":
      return {
        pattern,
        before: [
          [
            role,
            specText,
            "What the systems claim is long and comes in parts. Read each, say in a line what matters of it, and wait.",
          ].join("\n\n"),
          ...partsOf(claims).map(({ name, value }) => section(name, value)),
          [verify, assess, "Say in words what you found; the last step follows."].join("\n\n"),
        ],
        last: `Last step.\n\n${plan}\n\n${form}`,
      };
  }
}

function roleOf({ claims, testCommand }: OrientGround): string {
  const fresh = isRead(claims.survey) && !claims.survey.has_code;
  return `You are ORIENT in a SODA loop (sense, orient, decide, act), iteration ${claims.iteration_number}. Other agents build what the spec below asks for; you judge how far it is, from evidence, and plan what is done next. What follows are claims: what git, the work items, earlier iterations and humans say. Believe none of it before you have looked at the code.

You read and search, and you may run ${testCommand === null ? "the project's tests where you find how" : `the tests with \`${testCommand}\``}. You change nothing: no files, no git, no work items. What you answer is carried out for you. \`trc show ID\` and \`trc tree ID\` show work items in full. Nobody answers questions.${
    fresh
      ? "\n\nThere is no code yet. Plan this iteration to lay the ground and no more: the manifest, a source and a test folder, a test command that runs with one test that passes. What the spec asks for comes in later iterations, test first."
      : ""
  }`;
}

const verify = `Verify the claims:
- Every closed task that you have not seen verified: is what it promised in the code, and does it work? If not, \`reopen\` it and say what is missing. A task that is open though its work is there and proved: \`close\` it and say what proves it.
- Every blocked task: does what blocked it still stand? If it is gone, or a human has answered, \`unblock\` it; it can then be planned now.
- Every learning that contradicts what you see: \`deprecate\` it, in its own words.
- What humans said (human_input) counts more than all the rest; \`spec_modified\` means the spec is not what earlier work was done for.`;

const assess = `Judge each acceptance criterion of the spec by itself: \`satisfied\` is true, false, or "unverifiable" when it cannot be found out from here. Give evidence: file and line, the test, the output that you saw. Tests that pass without an implementation prove nothing; an implementation that nothing has run proves little. \`spec_satisfied\` is true only when every criterion of the spec was judged, and is. What is satisfied without evidence counts as unverifiable.`;

const plan = `Plan:
- \`gaps\`: what stands between the code and the spec, with severity. If only a human can help, say exactly what is needed of them: it is what they will read.
- \`new_tasks\`: for gaps that no open task covers: small, each one sitting's work, testable, with the criterion it serves. Name them new-1, new-2, …; \`parent\` and \`depends_on\` take ids or such names.
- \`repeats\` (project_state) came back without progress: make an \`investigation\` of the cause, not a third try.
- \`actionable_work_exists\`: is there a task, open or new, that an agent can do now without a human?
- \`iteration_plan\`: the intent in a sentence, the tasks to do now in order (not blocked, most urgent first, at most five), and the approach. Null when there is nothing to do or nothing that can be done.
- \`learnings\`: what later iterations should know and cannot see quickly. Few, or none.`;

const form = "Answer in the form that is asked for, and only in it.";

function partsOf(claims: Claims): { name: string; value: unknown }[] {
  const { code_state, survey, work_state, project_state, human_input, learnings } = claims;
  return [
    { name: "Claim: code_state (git)", value: code_state },
    { name: "Claim: survey (the tree from outside)", value: survey },
    { name: "Claim: work_state (work items)", value: work_state },
    { name: "Claim: project_state (earlier iterations)", value: project_state },
    { name: "Claim: human_input", value: human_input },
    { name: "Claim: learnings (memory.md)", value: learnings },
  ];
}

/** A heading and what is below it, fenced, so that nothing in it is taken for a heading of ours. */
function section(name: string, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `## ${name}\n${fence}\n${text}\n${fence}`;
}
