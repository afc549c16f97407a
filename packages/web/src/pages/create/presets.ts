/** Goals that work well, to begin from: what is true when it is done, how to check it, what not to touch. */
export const presets: { name: string; prompt: string }[] = [
  {
    name: "Make the tests pass",
    prompt: `Make every test pass.

Run the whole test suite first and note what fails in .planning/status.md. Mend one cause at a time, in the code and not in the test, unless the test itself is plainly wrong; say so in the commit then. Do not skip, delete or weaken tests.

Done when the whole suite passes twice in a row.`,
  },
  {
    name: "Fix the types",
    prompt: `Make the type checker report no errors.

Run it first and note the number of errors in .planning/status.md. Correct the causes: no "any", no casts and no ignore comments to silence them. The program's behaviour stays as it is, and all tests pass.

Done when the type checker and the test suite both pass.`,
  },
  {
    name: "Work off the plan",
    prompt: `Work off the list in TODO.md (or plan.md), one item at a time, from the top.

For each: make it, test it, tick it in the list, and commit. When an item is unclear, choose the simplest reading and note it beside the item. Do not begin a new item while a test fails.

Done when every item is ticked and all tests pass.`,
  },
  {
    name: "Raise the coverage",
    prompt: `Raise the test coverage to 90 % of lines.

Measure it first and note the number in .planning/status.md. Cover what matters most first: logic with branches, errors, and what changed lately. Each test checks a behaviour that somebody would miss; none only runs lines. Change the code only where a test found it wrong.

Done when the coverage report says 90 % or more and all tests pass.`,
  },
  {
    name: "Upgrade dependencies",
    prompt: `Bring all dependencies to their newest versions.

One at a time, the small steps first: read its release notes, upgrade it, mend what it broke, run all checks, commit. When one cannot be upgraded, leave it and write down why in .planning/status.md.

Done when every dependency is at its newest version or has its reason written down, and build, lint and tests pass.`,
  },
];
