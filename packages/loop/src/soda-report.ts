import {
  type ActOutput,
  addUsage,
  Fault,
  type Journal,
  type LoopView,
  type Projects,
  type SodaIteration,
  type SodaReport,
  type SodaTaskReport,
  type StoredEvent,
  unknownUsage,
} from "@ralpher/contract";

const pageSize = 50;
const mostWoken = 20;

/** What tells of a SODA iteration; the rest of what its agents do is in the log. */
const telling = [
  "loop.iteration.start",
  "loop.sensed",
  "loop.turn.start",
  "loop.turn.end",
  "loop.interrupted",
  "loop.oriented",
  "loop.planned",
  "loop.decided",
  "loop.branch.started",
  "loop.tested",
  "loop.task.reported",
  "loop.set_aside",
  "loop.git.commit",
  "loop.git.saved",
  "loop.task.end",
  "loop.branch.merged",
  "loop.error",
  "loop.iteration.end",
] as const satisfies StoredEvent["type"][];

/** See Hub. @throws Fault `not_soda` */
export async function readSoda(
  { journal, projects }: { journal: Journal; projects: Projects },
  view: LoopView,
  { before, limit = pageSize }: { before?: number | undefined; limit?: number | undefined } = {},
): Promise<SodaReport> {
  const { id: loopId, soda } = view;
  if (soda === null) throw new Fault("not_soda", { id: loopId });
  const starts = await journal.read({ loopId, types: ["loop.iteration.start"], before, newest: true, limit });
  const from = starts[0]?.seq;
  const [specs, summaries, woken, memory] = await Promise.all([
    journal.read({ loopId, types: ["loop.spec"], newest: true, limit: 1 }),
    journal.read({ loopId, types: ["loop.summarised"], newest: true, limit: 1 }),
    journal.read({ loopId, types: ["loop.woken"], newest: true, limit: mostWoken }),
    soda.project === null ? "" : projects.memory(soda.project).catch(() => ""),
  ]);
  const summary = summaries[0]?.type === "loop.summarised" ? summaries[0] : null;
  return {
    spec: specs[0]?.type === "loop.spec" ? specs[0].spec : null,
    project: soda.project,
    root: soda.root,
    iterations: from === undefined ? [] : await readIterations(journal, view, from, before),
    memory,
    summary: summary === null ? null : { path: summary.path, text: summary.text, at: summary.at },
    woken: woken.flatMap((event) =>
      event.type === "loop.woken" ? [{ by: event.by, note: event.note, at: event.at }] : [],
    ),
  };
}

async function readIterations(
  journal: Journal,
  { id: loopId }: LoopView,
  from: number,
  before: number | undefined,
): Promise<SodaIteration[]> {
  const made: SodaIteration[] = [];
  for (let after = from - 1; ; ) {
    const events = await journal.read({ loopId, types: [...telling], after, before });
    for (const event of events) tell(made, event);
    const last = events.at(-1);
    if (last === undefined || events.length < 1000) return made;
    after = last.seq;
  }
}

/** Put one event into the iteration it belongs to. */
function tell(made: SodaIteration[], event: StoredEvent): void {
  if (event.type === "loop.iteration.start") {
    made.push(blank(event));
    return;
  }
  const now = made.at(-1);
  if (now === undefined || !("iteration" in event) || event.iteration !== now.iteration) return;
  switch (event.type) {
    case "loop.sensed":
      now.claims = event.claims;
      return;
    case "loop.turn.start":
      now.phase = event.role === "executor" ? "act" : "orient";
      return;
    case "loop.interrupted":
    case "loop.turn.end":
      now.usage = addUsage(now.usage, event.usage ?? unknownUsage);
      return;
    case "loop.oriented":
      now.orientation = event.orientation;
      now.pattern = event.pattern;
      return;
    case "loop.planned":
      now.plan = event.plan === null ? null : { intent: event.plan.intent, approach: event.plan.approach };
      now.tasks = (event.plan?.tasks ?? []).map((task) => ({ ...blankTask, commits: [], ...task }));
      now.changes.push(...event.changes);
      now.refused.push(...event.refused);
      return;
    case "loop.decided":
      now.phase = "decide";
      now.decision = event.decision;
      return;
    case "loop.branch.started":
      now.phase = "act";
      now.branch = event.branch;
      return;
    case "loop.tested":
      if (event.taskId === null) now.baseline = event.result;
      else inTask(now, event.taskId, { test: event.result, regression: event.regression ?? null });
      return;
    case "loop.task.reported": {
      const rounds = (now.tasks.find(({ id }) => id === event.taskId)?.rounds ?? 0) + 1;
      inTask(now, event.taskId, { report: event.report, rounds });
      return;
    }
    case "loop.set_aside":
      inTask(now, event.taskId, { setAside: event.ref });
      return;
    case "loop.git.commit": {
      // Commits are recorded while their task is the one that is not settled yet.
      const task = now.tasks.find(({ outcome }) => outcome === null);
      task?.commits.push(event.commit);
      return;
    }
    case "loop.task.end":
      inTask(now, event.taskId, { outcome: event.outcome, reason: event.reason ?? null });
      now.act = addTask(now.act ?? blankAct(), now, event);
      now.changes.push(...event.changes);
      return;
    case "loop.branch.merged":
      now.merged = event.head === null ? { conflict: event.conflict ?? [] } : { head: event.head };
      now.changes.push(...event.changes);
      return;
    case "loop.error":
      now.error = event.error;
      return;
    case "loop.iteration.end":
      now.outcome = event.outcome;
      now.completedAt = event.at;
  }
}

function inTask(now: SodaIteration, id: string, change: Partial<SodaTaskReport>): void {
  now.tasks = now.tasks.map((task) => (task.id === id ? { ...task, ...change } : task));
}

const blankAct = (): ActOutput => ({
  tasks_completed: [],
  tasks_blocked: [],
  task_comments: [],
  new_subtasks: [],
  learnings: [],
  commits: [],
});

function addTask(
  act: ActOutput,
  now: SodaIteration,
  { taskId: id, outcome, reason, changes, learnings }: Extract<StoredEvent, { type: "loop.task.end" }>,
): ActOutput {
  const task = now.tasks.find((candidate) => candidate.id === id);
  const created = changes.filter(({ what }) => what === "created");
  return {
    tasks_completed: [...act.tasks_completed, ...(outcome === "completed" ? [id] : [])],
    tasks_blocked: [...act.tasks_blocked, ...(outcome === "blocked" ? [{ id, reason: reason ?? "" }] : [])],
    task_comments: [
      ...act.task_comments,
      ...changes.flatMap(({ id: item, note }) => (note === undefined ? [] : [{ id: item, content: note }])),
    ],
    new_subtasks: [...act.new_subtasks, ...created.map((item) => ({ id: item.id, parent: id, title: item.title }))],
    learnings: [...act.learnings, ...learnings],
    commits: [...act.commits, ...(task?.commits ?? []).map(({ sha, message }) => ({ sha, message }))],
  };
}

const blankTask: Omit<SodaTaskReport, "id" | "title" | "commits"> = {
  report: null,
  rounds: 0,
  test: null,
  regression: null,
  setAside: null,
  outcome: null,
  reason: null,
};

function blank({ iteration, seq, at }: Extract<StoredEvent, { type: "loop.iteration.start" }>): SodaIteration {
  return {
    iteration,
    seq,
    startedAt: at,
    completedAt: null,
    outcome: null,
    phase: "sense",
    claims: null,
    orientation: null,
    pattern: null,
    plan: null,
    changes: [],
    refused: [],
    decision: null,
    branch: null,
    baseline: null,
    tasks: [],
    merged: null,
    act: null,
    usage: unknownUsage,
    error: null,
  };
}
