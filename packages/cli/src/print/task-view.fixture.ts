import {
  type EventBody,
  foldAll,
  type KnownStep,
  LoopConfig,
  type LoopView,
  type StoredEvent,
  TaskConfig,
  type TaskDetail,
  type VaultLook,
  wholeLook,
} from "@ralpher/contract";

// Whatever the terminal that tests run in.
process.stdout.columns = 80;

const loopId = "3f2a1b2c-0000-4000-8000-000000000000";
const at = "2026-01-01T00:00:00.000Z";
const vault = "/home/ada/notes";

export const step = (key: string, part: Partial<KnownStep> = {}): KnownStep => ({
  key,
  text: key,
  path: [],
  twins: 1,
  line: 3,
  done: false,
  isParent: false,
  verify: null,
  ...part,
});

export const look = (part: Partial<VaultLook> = {}): VaultLook => ({
  config: TaskConfig.parse({}),
  place: "open",
  path: "/Specs/auth_feature/tasks.md",
  title: "Log in",
  isDone: false,
  steps: [step("1.1 Read the rules", { done: true }), step("1.2 Write the form", { verify: "bun test" })],
  counts: { done: 1, all: 2 },
  stopHook: null,
  doubted: [],
  carried: {},
  isMarkDoubted: false,
  unreadable: null,
  problems: [],
  ...part,
});

/** Events of a task, in order, after those that every one begins with. */
export function taskEvents(bodies: EventBody[], settings: { maxIterations?: number } = {}): StoredEvent[] {
  const config = LoopConfig.parse({
    id: loopId,
    createdAt: at,
    updatedAt: at,
    name: "Log in",
    directory: vault,
    prompt: "# Log in",
    strategy: { type: "task", file: "/Specs/auth_feature/tasks.md" },
    ...settings,
  });
  const all: EventBody[] = [
    { type: "loop.created", config },
    { type: "loop.starting" },
    {
      type: "loop.task.opened",
      runId: "loop_20260101_000000",
      taskId: "auth_feature",
      stateSuffix: null,
      vault,
      namesakes: [],
    },
    { type: "loop.workspace.ready", workspace: { kind: "plain", directory: vault } },
    { type: "loop.started", iteration: 1 },
    { type: "loop.vault.looked", ...wholeLook(look()) },
    ...bodies,
  ];
  return all.map((body, index) => ({ ...body, loopId, at, seq: index + 1 }) as StoredEvent);
}

/** The task's loop after these events. */
export function taskView(bodies: EventBody[], settings: { maxIterations?: number } = {}): LoopView {
  const view = foldAll(null, taskEvents(bodies, settings));
  if (view === null) throw new Error("a loop that was created has a view");
  return view;
}

/** What an iteration comes to: one that fails by its check. */
export const failing: EventBody[] = [
  { type: "loop.iteration.start", iteration: 1 },
  { type: "loop.step.begun", iteration: 1, step: step("1.2 Write the form", { verify: "bun test" }) },
  {
    type: "loop.step.reported",
    iteration: 1,
    report: { result: "success", action: "write_code", summary: "The form is there." },
  },
  {
    type: "loop.step.verified",
    iteration: 1,
    check: { command: "bun test", passed: false, outcome: "it ended with 1", output: "1 pass\n1 fail\n" },
  },
  { type: "loop.error", iteration: 1, error: "the check `bun test` did not pass: it ended with 1" },
  {
    type: "loop.step.end",
    iteration: 1,
    step: "1.2 Write the form",
    entry: {
      iteration: 1,
      timestamp: at,
      action: "write_code",
      result: "failure",
      error: "the check `bun test` did not pass: it ended with 1",
      duration_seconds: 2.5,
    },
  },
  { type: "loop.iteration.end", iteration: 1, outcome: "error" },
];

/** The end of one that failed too often: a human is asked. */
export const handedOff: EventBody[] = [
  ...failing,
  {
    type: "loop.handed_off",
    kind: "error_report",
    path: "/Needs_Action/2026-01-01_error_report_auth_feature.md",
    choices: ["retry", "skip_step"],
  },
  { type: "loop.failed", reason: "3 steps in a row failed" },
];

export const detail = (part: Partial<TaskDetail> = {}): TaskDetail => ({
  vault,
  file: "/Specs/auth_feature/tasks.md",
  place: "open",
  path: "/Specs/auth_feature/tasks.md",
  title: "Log in",
  text: "",
  steps: look().steps.map((known) => ({ ...known, depth: 0 })),
  working: null,
  report: null,
  check: null,
  counters: {
    iterations: 1,
    max_iterations: 100,
    consecutive_failures: 1,
    failure_threshold: 3,
    total_successes: 0,
    total_failures: 1,
  },
  timeoutAt: null,
  history: [],
  handOff: null,
  waitingPrompt: null,
  injected: null,
  stopHook: null,
  completionReport: null,
  stateFile: ".state/autonomous_loop_state.json",
  logFile: "Logs/autonomous_loop.log",
  problems: [],
  ...part,
});
