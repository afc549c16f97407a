import {
  type Claims,
  type EventBody,
  foldAll,
  LoopConfig,
  type LoopView,
  type Orientation,
  type StoredEvent,
} from "@ralpher/contract";

// Whatever the terminal that tests run in.
process.stdout.columns = 80;

const loopId = "3f2a1b2c-0000-4000-8000-000000000000";
const at = "2026-01-01T00:00:00.000Z";

export const usage = { inputTokens: 1_200, outputTokens: 300, costUsd: 0.05 };

export const claims: Claims = {
  timestamp: at,
  iteration_number: 2,
  code_state: {
    branch: "soda/greeter",
    staged: 0,
    unstaged: 2,
    base: "abc",
    commits: [{ hash: "abcdef0123", message: "first\nbody", timestamp: at }],
    commit_count: 1,
    files_changed: [{ path: "hello.txt", added: 3, removed: 1 }],
    file_count: 1,
    lines_added: 3,
    lines_removed: 1,
    note: null,
  },
  survey: { has_code: true, has_tests: true, manifests: ["package.json"], test_command: "bun test" },
  work_state: {
    root: { id: "app-root", title: "Greeter", status: "open" },
    open: [
      { id: "app-1", title: "Greet by name", status: "open", priority: 2, parent: null, blocked: false },
      { id: "app-2", title: "Greet in French", status: "blocked", priority: 2, parent: null, blocked: true },
    ],
    blocked: [{ id: "app-2", title: "Greet in French", reason: "nobody said which French" }],
    closed: [{ id: "app-0", title: "Lay the ground" }],
    comments: [],
    note: null,
  },
  project_state: {
    iteration_number: 2,
    history: [{ iteration: 1, intent: "lay the ground", outcome: "CONTINUE; 1 tasks completed, 0 blocked" }],
    last_summaries: { executor: null, verifier: null },
    repeats: [],
    note: null,
  },
  human_input: null,
  learnings: "- one\n- two\n",
};

export const orientation = (part: Partial<Orientation> = {}): Orientation => ({
  summary: "Half of it is there.",
  criteria: [],
  spec_satisfied: false,
  actionable_work_exists: true,
  confidence: 0.9,
  task_updates: [],
  new_tasks: [],
  gaps: [],
  iteration_plan: null,
  learnings: [],
  ...part,
});

/** Events of a SODA run, in order, after those that every run begins with. */
export function sodaEvents(bodies: EventBody[], settings: { maxIterations?: number } = {}): StoredEvent[] {
  const config = LoopConfig.parse({
    id: loopId,
    createdAt: at,
    updatedAt: at,
    name: "Greeter",
    directory: "/work/greeter",
    prompt: "# Greeter",
    strategy: { type: "soda" },
    maxIterations: 20,
    ...settings,
  });
  const workspace = {
    kind: "worktree" as const,
    directory: "/data/worktrees/x",
    repository: "/work/greeter",
    originalBranch: "main",
    workingBranch: "soda/greeter",
    baseSha: "abc",
  };
  const spec = { path: "/work/greeter/Sodafile", text: "# Greeter", sha: "s", title: "Greeter" };
  const all: EventBody[] = [
    { type: "loop.created", config },
    { type: "loop.starting" },
    { type: "loop.bootstrapped", project: { id: "p", home: "/soda/p" }, notes: [] },
    { type: "loop.spec", spec },
    { type: "loop.workspace.ready", workspace },
    { type: "loop.started", iteration: 1 },
    { type: "loop.milestone", root: { id: "app-root", title: "Greeter" } },
    { type: "loop.iteration.start", iteration: 1 },
    { type: "loop.sensed", iteration: 1, claims, said: [], cursor: "" },
    ...bodies,
  ];
  return all.map((body, index) => ({ ...body, loopId, at, seq: index + 1 }) as StoredEvent);
}

/** The run after these events. */
export function sodaView(bodies: EventBody[], settings: { maxIterations?: number } = {}): LoopView {
  const view = foldAll(null, sodaEvents(bodies, settings));
  if (view === null) throw new Error("a run that was created has a view");
  return view;
}
