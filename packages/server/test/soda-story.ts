import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type {
  Claims,
  DurableEvent,
  EventBody,
  GitCommit,
  LoopId,
  Orientation,
  TestResult,
  Verdict,
  WorkItem,
  Workspace,
} from "@ralpher/contract";
import { git, type openLab } from "@ralpher/loop/lab";

type Lab = ReturnType<typeof openLab>;

export interface StoryOptions {
  name?: string;
  iterations?: number;
  criteria?: number;
  ending?: "stuck" | "running" | "completed";
  /** In the middle of which phase it is, when it runs. */
  phase?: "sense" | "orient" | "act";
}

const sourceFile = (n: number) => `export function parse${n}(text) {\n  return text.split(",").map(Number);\n}\n`;

const green = (passed: number): Extract<TestResult, { kind: "ran" }> => ({
  kind: "ran",
  command: "bun test",
  exitCode: 0,
  passed,
  failed: 0,
  failing: [],
  tail: `${passed} pass\n0 fail\nRan ${passed} tests across 4 files. [212.00ms]`,
  durationMs: 212,
});
const red = (passed: number, failing: string[]): TestResult => ({
  ...green(passed),
  exitCode: 1,
  failed: failing.length,
  failing,
  tail: `${failing.map((name) => `(fail) ${name}`).join("\n")}\n${passed} pass\n${failing.length} fail`,
});

const criterionWords = [
  "`stats FILE` prints count, sum and mean of the numbers in a CSV file",
  "A file that does not exist ends with exit code 2 and a sentence on standard error",
  "Empty lines and lines that begin with # are left out",
  "Numbers may be written with a decimal comma when --comma is given",
  "A file of 1 GB is read with less than 100 MB of memory",
  "README.md shows the three commands with their output",
  "`npm publish --dry-run` succeeds with the token of the registry",
];
const criterionOf = (n: number) =>
  criterionWords[n] ?? `Criterion ${n + 1}: the column ${n + 1} of the report is right`;

function verdict(n: number, iteration: number): Verdict {
  if (n % 7 === 6) return "unverifiable";
  return n < iteration * 2 && !(iteration === 3 && n === 2);
}

function orientationOf(iteration: number, criteria: number, tasks: WorkItem[], ending: boolean): Orientation {
  const judged = Array.from({ length: criteria }, (_, n) => {
    const satisfied = verdict(n, iteration);
    return {
      criterion: criterionOf(n),
      satisfied,
      evidence:
        satisfied === "unverifiable"
          ? []
          : [
              { file: `src/parse-1.js`, line: 2, test: "reads numbers", output: "✓ reads numbers [1.2ms]" },
              ...(satisfied
                ? []
                : [{ output: "Error: ENOENT: no such file, open 'missing.csv'\n    at main (cli.js:4)" }]),
            ],
      ...(satisfied === true
        ? {}
        : { note: satisfied === false ? "The branch for it is missing in cli.js." : "Needs the registry's token." }),
    };
  });
  return {
    summary: `The parser is there and tested; ${judged.filter((c) => c.satisfied === true).length} of ${criteria} criteria hold. The command line does not yet answer for files that are not there.`,
    criteria: judged,
    spec_satisfied: false,
    actionable_work_exists: !ending,
    confidence: 0.82,
    task_updates: [],
    new_tasks: [],
    gaps: [
      { description: "A missing file ends with a stack trace", severity: "critical", criterion: criterionOf(1) },
      { description: "Large files are read whole into memory", severity: "major", criterion: criterionOf(4) },
      { description: "The README shows one command of three", severity: "minor" },
    ],
    iteration_plan: ending
      ? null
      : {
          intent: `Make the command line answer for part ${iteration}`,
          approach: "Write the failing test first, then the branch in cli.js; keep the parser as it is.",
          tasks: tasks.map(({ id }) => id),
        },
    learnings: [
      { text: "Tests are run with `bun test`; they need no network.", action: "add" },
      ...(iteration > 1 ? [{ text: "The parser reads files as a whole.", action: "deprecate" as const }] : []),
    ],
  };
}

/**
 * A SODA loop as its events would tell of it, written straight into the journal: no agent ran. The repository, its
 * worktree, the commits and the work items are real. Times go back from now.
 */
export async function tellSoda(lab: Lab, directory: string, options: StoryOptions = {}) {
  const { name = "A CSV calculator", iterations = 3, criteria = 7, ending = "stuck", phase = "act" } = options;
  await writeFile(join(directory, "Sodafile"), `# ${name}\n\nA command that tells of numbers in CSV files.\n`);
  const view = await lab.create(directory, {
    name,
    prompt: `# ${name}\n\nA command that tells of numbers in CSV files.\n\n## Acceptance criteria\n\n${Array.from({ length: criteria }, (_, n) => `- ${criterionOf(n)}`).join("\n")}\n`,
    strategy: { type: "soda" },
    another: true,
    maxIterations: Math.max(20, iterations + 10),
  });
  const loopId: LoopId = view.id;
  const workingBranch = `soda/${name.toLowerCase().replace(/\W+/g, "-")}`;
  const tree = join(directory, "..", "trees", loopId);
  await mkdir(join(directory, "..", "trees"), { recursive: true });
  await git(directory, "worktree", "add", "-q", "-b", workingBranch, tree);
  const baseSha = await git(directory, "rev-parse", "HEAD");
  const workspace: Workspace = {
    kind: "worktree",
    directory: tree,
    repository: directory,
    originalBranch: "main",
    workingBranch,
    baseSha,
  };

  await using items = lab.hub.openWorkItems(directory);
  await items.init();
  const root = await items.create({ title: name, description: "See Sodafile.", priority: 1 });

  let clock = Date.now() - iterations * 420_000 - 60_000;
  const tell = async (...bodies: EventBody[]) => {
    clock += 9_000;
    const at = new Date(clock).toISOString();
    await lab.journal.append(loopId, () => bodies.map((body) => ({ ...body, loopId, at }) as DurableEvent));
  };
  const usage = { inputTokens: 18_200, outputTokens: 2_410, costUsd: 0.084 };
  const turnEnd = (iteration: number): EventBody => ({ type: "loop.turn.end", iteration, promised: false, usage });
  const specText = view.config.prompt;

  await tell({ type: "loop.starting" });
  await tell({
    type: "loop.bootstrapped",
    project: { id: "0b7b3c1e-6a0f-4c1c-9d57-3f2a5d1f0c11", home: join(directory, "..", "soda", "projects", "0b7b") },
    notes: ["Made .soda-id", "Made the first commit"],
  });
  await tell({ type: "loop.workspace.ready", workspace });
  await tell({ type: "loop.milestone", root: { id: root.id, title: name } });
  await tell({
    type: "loop.spec",
    spec: { path: join(directory, "Sodafile"), text: specText, sha: "5".repeat(64), title: name },
  });
  await tell({ type: "loop.started", iteration: 1 });

  const commitCount = { n: 0 };
  for (let iteration = 1; iteration <= iterations; iteration++) {
    const isLast = iteration === iterations;
    const stops = isLast && ending === "running" ? phase : null;
    await tell({ type: "loop.iteration.start", iteration });
    if (stops === "sense") break;
    await tell({
      type: "loop.sensed",
      iteration,
      said: [],
      // What is in the work items by now was done by the loop: nothing of it wakes it.
      cursor: (await items.snapshot(root.id)).cursor,
      claims: claimsOf({
        iteration,
        root,
        workingBranch,
        baseSha,
        commits: commitCount.n,
        at: new Date(clock).toISOString(),
      }),
    });
    await tell({ type: "loop.turn.start", iteration, attempt: 1, prompt: "Judge the claims.", role: "orient" });
    await tell({
      type: "loop.message",
      iteration,
      message: {
        id: `o${iteration}`,
        role: "assistant",
        kind: "text",
        content: "I check the claims against the code, one criterion after the other.",
      },
    });
    if (stops === "orient") break;
    const isOver = isLast && ending !== "running";
    const made: WorkItem[] = [];
    if (!isOver) {
      for (const title of [
        `Say which file is missing (${iteration})`,
        `Read line by line (${iteration})`,
        `Publish a dry run (${iteration})`,
      ]) {
        made.push(
          await items.create({
            title,
            description: "**Why**: the spec asks for it.\n\n- a test that fails first\n- the smallest change",
            priority: made.length + 1,
            parentId: root.id,
          }),
        );
      }
    }
    const [first, second, third] = made;
    const orientation = orientationOf(iteration, criteria, made, isOver);
    await tell(
      {
        type: "loop.oriented",
        iteration,
        orientation: ending === "completed" && isOver ? satisfied(orientation) : orientation,
        pattern: iteration === 1 ? "narrow" : "walk",
      },
      turnEnd(iteration),
    );
    await tell({
      type: "loop.planned",
      iteration,
      plan:
        orientation.iteration_plan === null
          ? null
          : { ...orientation.iteration_plan, tasks: made.map(({ id, title }) => ({ id, title })) },
      actionable: !isOver,
      changes: made.map(({ id, title, updatedAt }) => ({ id, title, what: "created", at: updatedAt })),
      refused:
        iteration === 2
          ? [{ what: `close ${root.id}`, why: "The milestone's own item is closed when all is done." }]
          : [],
    });
    if (isOver) {
      await tell({
        type: "loop.decided",
        iteration,
        decision:
          ending === "stuck"
            ? {
                outcome: "STUCK",
                reason:
                  "2 criteria are not satisfied and nothing can be done about them from here: the registry's token is needed, and it is not said which port is free",
              }
            : { outcome: "DONE", summary: "All criteria are satisfied." },
      });
      await tell({ type: "loop.iteration.end", iteration, outcome: ending === "stuck" ? "stuck" : "complete" });
      break;
    }
    await tell({ type: "loop.decided", iteration, decision: { outcome: "CONTINUE" } });
    await tell({ type: "loop.branch.started", iteration, branch: `soda/iteration-${iteration}`, base: baseSha });
    await tell({ type: "loop.tested", iteration, taskId: null, result: green(12 + iteration) });
    if (first === undefined || second === undefined || third === undefined) continue;

    await items.update(first.id, { status: "in_progress" });
    await tell({
      type: "loop.turn.start",
      iteration,
      attempt: 1,
      prompt: `Work on ${first.id}.`,
      role: "executor",
      taskId: first.id,
    });
    await tell({
      type: "loop.tool_call",
      iteration,
      tool: {
        id: `t${iteration}`,
        name: "bash",
        input: { command: "bun test" },
        output: "12 pass",
        outputBytes: 7,
        status: "completed",
        durationMs: 900,
      },
    });
    await tell(
      {
        type: "loop.task.reported",
        iteration,
        taskId: first.id,
        report: {
          outcome: "completed",
          summary: "A missing file now ends with exit code 2 and a sentence. The test was written first.",
          new_subtasks: [],
          learnings: ["process.exit in a test ends the runner; use exitCode."],
        },
      },
      turnEnd(iteration),
    );
    await tell({
      type: "loop.tested",
      iteration,
      taskId: first.id,
      result: green(13 + iteration),
      regression: { tests: [], note: null },
    });
    const commit = await makeCommit(tree, iteration, ++commitCount.n, first, clock);
    await tell(
      { type: "loop.git.commit", iteration, commit },
      { type: "loop.git.saved", iteration, head: commit.sha, taskId: first.id, branch: `soda/iteration-${iteration}` },
    );
    const closed = (await items.close([first.id], { message: "Done in this iteration.", source: "executor" }))
      .closed[0];
    await tell({
      type: "loop.task.end",
      iteration,
      taskId: first.id,
      outcome: "completed",
      changes: [
        {
          id: first.id,
          title: first.title,
          what: "closed",
          at: closed?.updatedAt ?? "",
          note: "Done in this iteration.",
        },
      ],
      learnings: ["process.exit in a test ends the runner; use exitCode."],
    });

    await items.update(second.id, { status: "in_progress" });
    await tell({
      type: "loop.turn.start",
      iteration,
      attempt: 1,
      prompt: `Work on ${second.id}.`,
      role: "executor",
      taskId: second.id,
    });
    if (stops === "act") break;
    await tell(
      {
        type: "loop.task.reported",
        iteration,
        taskId: second.id,
        report: {
          outcome: "partial",
          summary: "The reader streams, but two tests of the old one fail.",
          new_subtasks: [{ title: "Keep the old reader for --json", description: "", priority: 2 }],
          learnings: [],
        },
      },
      turnEnd(iteration),
    );
    const failing = ["cli > reads a file of one line", "cli > reads --json"];
    await tell({
      type: "loop.tested",
      iteration,
      taskId: second.id,
      result: red(11, failing),
      regression: { tests: failing, note: null },
    });
    await tell({
      type: "loop.set_aside",
      iteration,
      taskId: second.id,
      ref: `refs/ralpher/aside/${loopId}/${second.id}`,
      sha: commit.sha,
    });
    await items.update(second.id, { status: "blocked" });
    const said = await items.comment(second.id, {
      content: "Blocked: tests fail that did not before: cli > reads --json",
      source: "executor",
    });
    await tell({
      type: "loop.task.end",
      iteration,
      taskId: second.id,
      outcome: "blocked",
      reason: "tests fail that did not before: cli > reads --json",
      changes: [
        {
          id: second.id,
          title: second.title,
          what: "blocked",
          at: said.createdAt,
          note: "tests fail that did not before: cli > reads --json",
        },
      ],
      learnings: [],
    });
    await items.addDependency(third.id, second.id, "blocks");
    await tell({
      type: "loop.task.end",
      iteration,
      taskId: third.id,
      outcome: "blocked",
      reason: "the registry asks for a token",
      changes: [],
      learnings: [],
    });
    await tell({
      type: "loop.branch.merged",
      iteration,
      branch: `soda/iteration-${iteration}`,
      head: commit.sha,
      changes: [],
    });
    await tell({ type: "loop.iteration.end", iteration, outcome: "continue" });
    if (iteration === 2)
      await tell(
        { type: "loop.woken", by: "comment", note: `a comment on ${second.id}: use the old reader for --json` },
        { type: "loop.notice", iteration, text: "The spec was read again." },
      );
  }
  if (ending === "stuck") {
    await tell({
      type: "loop.summarised",
      path: join(directory, "..", "soda", "summaries", "stuck.md"),
      text: `# ${name}: waiting for you\n\n- the registry's **token**\n`,
    });
    await tell({
      type: "loop.stuck",
      reason:
        "2 criteria are not satisfied and nothing can be done about them from here: the registry's token is needed, and it is not said which port is free",
    });
  } else if (ending === "completed") {
    await tell({
      type: "loop.summarised",
      path: join(directory, "..", "soda", "summaries", "done.md"),
      text: `# ${name}: done\n\nAll ${criteria} criteria are satisfied.\n\n## What was done\n\n- the parser\n- the command line\n\n\`\`\`sh\nstats numbers.csv\n\`\`\`\n`,
    });
    await tell({ type: "loop.completed", totalIterations: iterations });
  }
  return { loopId, root: root.id, tree };
}

function satisfied(orientation: Orientation): Orientation {
  return {
    ...orientation,
    summary: "Every criterion holds; each was tried by hand.",
    spec_satisfied: true,
    confidence: 0.97,
    gaps: [],
    criteria: orientation.criteria.map(({ note: _, ...each }) => ({
      ...each,
      satisfied: true,
      evidence: [{ test: "the whole suite", output: "31 pass" }],
    })),
  };
}

async function makeCommit(
  tree: string,
  iteration: number,
  n: number,
  task: WorkItem,
  clock: number,
): Promise<GitCommit> {
  await mkdir(join(tree, "src"), { recursive: true });
  await writeFile(join(tree, "src", `parse-${n}.js`), sourceFile(n));
  await git(tree, "add", "-A");
  const message = `[Ralph] ${task.id}: ${task.title}`;
  await git(tree, "commit", "-q", "-m", message);
  const sha = await git(tree, "rev-parse", "HEAD");
  return { iteration, sha, message, timestamp: new Date(clock).toISOString(), filesChanged: 1 };
}

function claimsOf(of: {
  iteration: number;
  root: WorkItem;
  workingBranch: string;
  baseSha: string;
  commits: number;
  at: string;
}): Claims {
  const { iteration, root, workingBranch, baseSha, commits, at } = of;
  return {
    timestamp: at,
    iteration_number: iteration,
    code_state: {
      branch: workingBranch,
      staged: 0,
      unstaged: 1,
      base: baseSha,
      commits: Array.from({ length: Math.min(3, commits) }, (_, n) => ({
        hash: baseSha,
        message: `[Ralph] part ${n + 1}`,
        timestamp: at,
      })),
      commit_count: commits,
      files_changed: [
        { path: "src/parse-1.js", added: 3, removed: 0 },
        { path: "docs/logo.png", added: null, removed: null },
      ],
      file_count: commits,
      lines_added: commits * 3,
      lines_removed: 0,
      note: null,
    },
    survey: { has_code: true, has_tests: true, manifests: ["package.json"], test_command: "bun test" },
    work_state:
      iteration === 2
        ? { error: "Another program holds the work items locked (/home/you/.trace). Try again in a moment." }
        : {
            root: { id: root.id, title: root.title, status: "open" },
            open: [
              {
                id: `${root.id}x`,
                title: "Read line by line",
                status: "open",
                priority: 2,
                parent: null,
                blocked: iteration > 2,
              },
            ],
            blocked:
              iteration > 2
                ? [{ id: `${root.id}x`, title: "Read line by line", reason: "waits for the old reader" }]
                : [],
            closed: [],
            comments: [{ task_id: root.id, source: "user", content: "Use a stream.", timestamp: at }],
            note: null,
          },
    project_state: {
      iteration_number: iteration,
      history: Array.from({ length: Math.min(5, iteration - 1) }, (_, n) => ({
        iteration: n + 1,
        intent: `Part ${n + 1}`,
        outcome: "3 of 7 criteria satisfied; CONTINUE; 1 tasks completed, 1 blocked",
      })),
      last_summaries: { executor: iteration > 1 ? "The reader streams." : null, verifier: null },
      repeats: iteration > 2 ? [{ kind: "criterion", what: criterionOf(4), times: 2 }] : [],
      note: iteration === 1 ? "first iteration" : null,
    },
    human_input:
      iteration === 2
        ? {
            items: [
              { type: "correction", content: "Keep --json as it is.", timestamp: at },
              { type: "comment", content: "Use a stream.", task_id: root.id, timestamp: at },
            ],
            spec_modified: true,
          }
        : null,
    learnings: iteration === 1 ? "" : "- Tests are run with `bun test`.\n- The parser reads files as a whole.\n",
  };
}
