import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type DurableEvent,
  type EventBody,
  type HandOffChoice,
  type HandOffKind,
  type KnownStep,
  LoopConfig,
  LoopId,
  type StepCheck,
  type StepReport,
  TaskConfig,
  type VaultLook,
  wholeLook,
} from "@ralpher/contract";
import type { openLab } from "@ralpher/loop/lab";

type Lab = ReturnType<typeof openLab>;

export type TaskEnding = "working" | "checked" | "error_report" | "escalation" | "stop_report" | "completed";

export interface TaskStoryOptions {
  title?: string;
  /** The file's folder below the specs folder. */
  name?: string;
  ending?: TaskEnding;
  /** So many iterations come before the story's own, each of which got a step no further. */
  before?: number;
}

interface Line {
  words: string;
  depth: number;
  verify?: string;
  below?: string;
}

const headings = ["1. Sessions", "2. In the browser"] as const;
const lines: Record<(typeof headings)[number], Line[]> = {
  "1. Sessions": [
    { words: "1.1 Read the requirements, and write open questions to `Docs/auth.md`", depth: 0 },
    { words: "1.2 Implement the authentication logic", depth: 0 },
    { words: "Hash passwords with argon2id", depth: 1, verify: "bun test auth/hash" },
    { words: "Issue session tokens", depth: 1, verify: "bun test auth/session" },
    {
      words: "Sessions end after 30 minutes without a request",
      depth: 1,
      verify: "bun test auth/expiry",
      below: "The clock is handed in; see [[Docs/oauth2_guide.md]]. Do **not** use timers.",
    },
  ],
  "2. In the browser": [
    { words: "2.1 The log-in page says which of the two was wrong", depth: 0 },
    { words: "2.2 Five attempts a minute and address, then `429`", depth: 0, verify: "bun test auth/limit" },
  ],
};

const leaves = ["1.1 ", "Hash", "Issue", "Sessions", "2.1 ", "2.2 "];
const isParent = ({ words }: Line) => words.startsWith("1.2");

const failed = (iteration: number): StepCheck => ({
  command: iteration < 6 ? "bun test auth/session" : "bun test auth/expiry",
  passed: false,
  outcome: "it ended with 1",
  output: `bun test v1.4.5\n\nauth/expiry.test.ts:\n(pass) a session lives while it is used [1.20ms]\n24 |   clock.advance(30 * 60_000);\n25 |   expect(await session.user()).toBeNull();\n                                   ^\nerror: expect(received).toBeNull()\n\nReceived: { id: 7, name: "ada" }\n\n      at auth/expiry.test.ts:25:32\n(fail) a session ends after 30 minutes [3.41ms]\n\n 1 pass\n 1 fail\n`,
});
const passed = (command: string): StepCheck => ({
  command,
  passed: true,
  outcome: "it ended with 0",
  output: " 4 pass\n 0 fail\n",
});

interface Told {
  leaf: number;
  report: StepReport;
  check?: StepCheck;
  seconds: number;
}

/** What happens, an iteration each. */
const tale: Told[] = [
  {
    leaf: 0,
    seconds: 41,
    report: {
      result: "success",
      action: "read_requirements",
      summary: "Two questions are open; both are in `Docs/auth.md`.",
    },
  },
  {
    leaf: 1,
    seconds: 122,
    report: {
      result: "success",
      action: "write_code",
      summary: "Passwords are hashed with argon2id, 19 MiB and two rounds.",
    },
    check: passed("bun test auth/hash"),
  },
  {
    leaf: 2,
    seconds: 240,
    report: {
      result: "partial",
      action: "write_code",
      summary: "Tokens are made and stored. They are not yet read from the cookie.",
      next_action: "read_cookie",
    },
  },
  {
    leaf: 2,
    seconds: 66,
    report: { result: "success", action: "run_tests", summary: "The cookie is read, and the tests are written." },
    check: failed(4),
  },
  {
    leaf: 2,
    seconds: 95,
    report: { result: "success", action: "fix_code", summary: "The test had looked for the wrong header." },
    check: passed("bun test auth/session"),
  },
];

const stubborn: Told = {
  leaf: 3,
  seconds: 75,
  report: {
    result: "success",
    action: "fix_code",
    summary: "A session is now over when its last request is **30 minutes** ago, by the clock that is handed in.",
  },
  check: failed(6),
};

/** A vault with a few files, so that every folder has something. */
export async function layVault(vault: string): Promise<void> {
  const files: Record<string, string> = {
    "Control/autonomous_loop_config.yaml":
      "autonomous_loop:\n  max_iterations: 40\n  failure_threshold: 3\n  timeout_minutes: 120\n",
    "Specs/newsletter.md":
      "---\ntitle: The newsletter of March\n---\n\n- [x] Collect what happened\n- [ ] Write it\n- [ ] Send a draft\n",
    "Specs/backup.md": "# Back up the photos\n\nEvery photo of last year is in two places.\n",
    "Done/invoices/tasks.md": "# Number the invoices\n\n- [x] Find the last number\n- [x] Number them\n",
    "Rejected/rewrite.md": "# Rewrite it all in another language\n\n- [ ] Choose one\n",
  };
  for (const [path, text] of Object.entries(files)) await put(vault, path, text);
}

async function put(vault: string, path: string, text: string): Promise<void> {
  const file = join(vault, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/**
 * A task loop as its events would tell of it, written straight into the journal: no agent ran. Its files are real.
 * Times go back from now.
 */
export async function tellTask(lab: Lab, vault: string, options: TaskStoryOptions = {}) {
  const { title = "Log in", name = "auth_feature", ending = "working", before = 0 } = options;
  const file = `/Specs/${name}/tasks.md`;
  const failing = ending === "error_report" || ending === "escalation";
  const told: Told[] = [
    ...Array.from(
      { length: before },
      (): Told => ({ leaf: 0, seconds: 30, report: { ...tale[2]?.report } as StepReport }),
    ),
    ...tale,
    ...(failing ? [stubborn, stubborn, stubborn] : []),
    ...(ending === "completed"
      ? [3, 4, 5].map(
          (leaf): Told => ({
            leaf,
            seconds: 60 + leaf * 20,
            report: { result: "success", action: "write_code", summary: "It is done, and its test is green." },
            ...(leaf === 4 ? {} : { check: passed("bun test") }),
          }),
        )
      : []),
  ];
  const maxIterations = ending === "escalation" ? told.length : undefined;

  const loopId = LoopId.parse(randomUUID());
  const runs = told.reduce((sum, { seconds }) => sum + seconds + 20, 0);
  let clock = Date.now() - runs * 1000 - 90_000;
  const now = () => new Date(clock).toISOString();
  const tell = async (...bodies: EventBody[]) => {
    clock += 2_000;
    await lab.journal.append(loopId, () => bodies.map((body) => ({ ...body, loopId, at: now() }) as DurableEvent));
  };
  const config = LoopConfig.parse({
    id: loopId,
    name: title,
    directory: vault,
    prompt: `Work off ${file}.`,
    strategy: { type: "task", file },
    backend: { type: "scripted" },
    ...(maxIterations === undefined ? {} : { maxIterations }),
    git: { enabled: false },
    createdAt: now(),
    updatedAt: now(),
  });
  const done = new Set<number>();
  const text = () => taskText(title, done);
  const stepOf = (leaf: number): KnownStep => stepsOf(title, done).filter((step) => !step.isParent)[leaf] as KnownStep;
  const look = (more: Partial<VaultLook> = {}): VaultLook => ({
    config: TaskConfig.parse({ max_iterations: 40 }),
    place: "open",
    path: file,
    title,
    isDone: false,
    steps: stepsOf(title, done),
    counts: { done: done.size, all: leaves.length },
    doubted: [],
    carried: {},
    isMarkDoubted: false,
    unreadable: null,
    stopHook: null,
    problems: [],
    ...more,
  });

  await tell({ type: "loop.created", config });
  await tell({ type: "loop.starting" });
  await tell({ type: "loop.workspace.ready", workspace: { kind: "plain", directory: vault } });
  await tell({
    type: "loop.task.opened",
    taskId: name,
    runId: "loop_20260215_103000",
    stateSuffix: null,
    vault,
  } as EventBody);
  await tell({ type: "loop.vault.looked", ...wholeLook(look()) });
  await tell({ type: "loop.started", iteration: 1 });

  const begin = async (iteration: number, leaf: number) => {
    await tell({ type: "loop.iteration.start", iteration });
    await tell({ type: "loop.step.begun", iteration, step: stepOf(leaf) });
    await tell({ type: "loop.turn.start", iteration, attempt: 1, prompt: `Work on: ${stepOf(leaf).text}` });
    await tell({
      type: "loop.message",
      iteration,
      message: { id: `m${iteration}`, role: "assistant", kind: "text", content: "I look at what there is first." },
    });
  };
  const work = async (iteration: number, { leaf, report, check, seconds }: Told) => {
    clock += seconds * 1000;
    await tell(
      {
        type: "loop.turn.end",
        iteration,
        promised: false,
        usage: { inputTokens: 9_100, outputTokens: 1_300, costUsd: 0.04 },
      },
      { type: "loop.step.reported", iteration, report },
    );
    if (check !== undefined) await tell({ type: "loop.step.verified", iteration, check });
    const result = check?.passed === false ? "failure" : report.result;
    if (result === "success") {
      done.add(leaf);
      await tell({ type: "loop.step.ticked", iteration, outcome: "ticked" });
    }
    await tell(
      {
        type: "loop.step.end",
        iteration,
        step: stepOf(leaf).key,
        entry: {
          iteration,
          timestamp: now(),
          action: report.action,
          result,
          ...(result === "failure" && check !== undefined
            ? { error: `${check.command}: ${check.outcome}\n(fail) a session ends after 30 minutes` }
            : {}),
          duration_seconds: seconds,
        },
      },
      {
        type: "loop.iteration.end",
        iteration,
        outcome: result === "failure" ? "error" : result === "partial" ? "partial" : "continue",
      },
    );
  };
  for (const [index, each] of told.entries()) {
    const iteration = index + 1;
    await begin(iteration, each.leaf);
    await work(iteration, each);
    const injection =
      iteration === 3 + before
        ? { text: "Use the OAuth2 flow of [[Docs/oauth2_guide.md]], not JWT.", priority: "high", sha: "1".repeat(64) }
        : undefined;
    await tell({ type: "loop.vault.looked", ...wholeLook(look()), ...(injection === undefined ? {} : { injection }) });
  }

  const iteration = told.length + 1;
  const ask = async (kind: HandOffKind, choices: HandOffChoice[], happened: string) => {
    const path = `/Needs_Action/2026-02-15_${kind}_${name}.md`;
    await put(vault, path, handOffText(kind, title, file, happened, stepOf(3).text, choices));
    await tell({ type: "loop.handed_off", kind, path, choices });
    return path;
  };
  let path = file;
  if (ending === "working" || ending === "checked") {
    await begin(iteration, 3);
    if (ending === "checked") {
      clock += 20_000;
      await tell(
        {
          type: "loop.turn.end",
          iteration,
          promised: false,
          usage: { inputTokens: 9_100, outputTokens: 1_300, costUsd: 0.04 },
        },
        { type: "loop.step.reported", iteration, report: stubborn.report },
      );
      await tell({ type: "loop.step.verified", iteration, check: failed(6) });
    }
  } else if (ending === "error_report") {
    await ask("error_report", ["retry", "skip_step", "complete", "reject"], "Three iterations in a row failed.");
    await tell({
      type: "loop.failed",
      reason: "3 steps in a row failed, the last one with: bun test auth/expiry: it ended with 1",
    });
  } else if (ending === "escalation") {
    await ask("escalation", ["more_iterations", "complete", "reject"], `All ${told.length} iterations were used.`);
    await tell({ type: "loop.max_iterations", reason: `all ${told.length} iterations were used` });
  } else if (ending === "stop_report") {
    const hook = "/Control/STOP_AUTONOMOUS_LOOP";
    await put(
      vault,
      hook,
      "---\ntype: stop_hook\ncreated: 2026-02-15T10:35:00Z\nreason: manual\n---\n\n# Stop Autonomous Loop\n\n## Reason for Stopping\n\nThe server is being moved.\n",
    );
    const stopHook = { path: hook, reason: "The server is being moved.", frontMatter: { type: "stop_hook" } };
    await tell({ type: "loop.vault.looked", ...wholeLook(look({ stopHook })) });
    await ask("stop_report", ["retry", "complete", "reject"], "The stop hook told it to stop.");
    await tell({ type: "loop.stopped", reason: `${hook} tells it to: The server is being moved.` });
  } else {
    path = `/Done/${name}/tasks.md`;
    const report = `/Logs/2026-02-15_${name}_report.md`;
    await put(
      vault,
      report,
      `# ${title}\n\nthe task is done\n\n| | |\n|---|---|\n| Iterations | ${told.length} of 40 |\n`,
    );
    await tell({ type: "loop.task.filed", path, place: "done", report });
    await tell({ type: "loop.completed" } as EventBody);
  }
  await put(vault, path.slice(1), text());
  return { loopId, file, iterations: told.length };
}

function taskText(title: string, done: ReadonlySet<number>): string {
  let leaf = -1;
  const all = leaves.map((_, index) => done.has(index));
  const body = headings.map((heading) => {
    const boxes = lines[heading].map((line) => {
      if (!isParent(line)) leaf += 1;
      const ticked = isParent(line) ? all.slice(1, 4).every(Boolean) : done.has(leaf);
      const indent = "  ".repeat(line.depth);
      const verify = line.verify === undefined ? "" : ` (verify: ${line.verify})`;
      const below = line.below === undefined ? "" : `\n${indent}  ${line.below}`;
      return `${indent}- [${ticked ? "x" : " "}] ${line.words}${verify}${below}`;
    });
    return `## ${heading}\n\n${boxes.join("\n")}`;
  });
  return `---\ntitle: ${title}\npriority: high\n---\n\n# ${title}\n\nPeople log in with a name and a password. What is out of scope: *resetting* a password.\n\n${body.join("\n\n")}\n\n## Notes\n\nAsk before a new dependency is added.\n`;
}

function stepsOf(title: string, done: ReadonlySet<number>): KnownStep[] {
  const text = taskText(title, done).split("\n");
  let leaf = -1;
  return headings.flatMap((heading) =>
    lines[heading].map((line): KnownStep => {
      const parent = isParent(line);
      if (!parent) leaf += 1;
      return {
        key: line.words,
        text: line.below === undefined ? line.words : `${line.words}\n${line.below}`,
        path: line.depth === 0 ? [heading] : [heading, "1.2 Implement the authentication logic"],
        twins: 1,
        line: text.findIndex((each) => each.includes(`] ${line.words}`)) + 1,
        done: parent ? [1, 2, 3].every((one) => done.has(one)) : done.has(leaf),
        isParent: parent,
        verify: line.verify ?? null,
      };
    }),
  );
}

const choiceWords: Record<HandOffChoice, string> = {
  retry: "**Try again**: the same step once more, with the failures counted from zero",
  more_iterations: "**Go on**: as many iterations again as it had",
  skip_step: "**Skip this step**: tick it as it is, and go on with the next",
  complete: "**It is done**: finish the task as it is",
  reject: "**Call it off**: the task is rejected",
};

function handOffText(
  kind: HandOffKind,
  title: string,
  file: string,
  happened: string,
  step: string,
  choices: HandOffChoice[],
): string {
  const boxes = choices.map((choice) => `- [ ] ${choiceWords[choice]} <!-- ralpher:${choice} -->`).join("\n");
  return `---\ntype: ${kind}\nloop_id: loop_20260215_103000\ntask: ${file}\ncreated: 2026-02-15T10:35:00Z\nstatus: open\n---\n\n# ${title}\n\n## What happened\n\n${happened}\n\n## The step\n\n${step}\n\n## Last errors\n\n\`\`\`\nbun test auth/expiry: it ended with 1\n(fail) a session ends after 30 minutes\n\`\`\`\n\n## What was tried\n\n\`\`\`\n4. Issue session tokens: run_tests: failure\n5. Issue session tokens: fix_code: success\n6. Sessions end after 30 minutes: fix_code: failure\n\`\`\`\n\n## What next?\n\nTick one box and save this file.\n\n<!-- ralpher:choices -->\n\n${boxes}\n\n## Or by hand\n\n\`\`\`\nralpher task resume ${file} --reset-failures\n\`\`\`\n`;
}
