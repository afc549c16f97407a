import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type Claims,
  type CodeState,
  type HumanInput,
  isFault,
  type LoopView,
  type OwnChange,
  type Projects,
  type Spec,
  type WorkItems,
  type Workspaces,
} from "@ralpher/contract";
import { linksOfOpen, othersOf } from "./others-of.ts";
import { findRepeats } from "./strategies/soda/repeats.ts";
import { workStateOf } from "./strategies/soda/work-state.ts";

export interface SenseParts {
  workspaces: Workspaces;
  projects: Projects;
  openWorkItems: (directory: string) => WorkItems;
  changesByAgents: (after: string) => OwnChange[];
}

export interface Sensed {
  claims: Claims;
  /** The seqs of the human words among the claims. */
  said: number[];
  /** See the event `loop.sensed`. */
  cursor: string;
  /** See the event `loop.sensed`; null when the items could not be read. */
  links: Record<string, string> | null;
  /** The spec, when it is not the one that was known. */
  spec: Spec | null;
  /** Why it cannot be read. */
  specError: string | null;
  /** Somebody moved or removed the root work item, or it is on another machine. */
  rootIsGone: boolean;
}

const historyShown = 5;

/** SENSE for a loop: all sources side by side, and none of them can keep the others from being heard (S-OUT-3). */
export async function senseLoop(parts: SenseParts, view: LoopView, iteration: number, now: Date): Promise<Sensed> {
  const { soda, workspace, config, said: words } = view;
  const { projects, workspaces } = parts;
  const directory = workspace?.directory ?? config.directory;
  const strategy = config.strategy.type === "soda" ? config.strategy : null;
  let rootIsGone = false;
  const others = Promise.withResolvers<void>();
  const coding = read(() =>
    workspaces.codeState(workspace === null || workspace.kind === "plain" ? { directory } : workspace, {
      historyAfter: others.promise,
    }),
  );
  // Reading the work items keeps this thread busy; so git is on its way first.
  await setImmediate();
  const [survey, work, spec, learnings] = await Promise.all([
    read(() => projects.survey(directory, strategy?.test)),
    read(() =>
      readWork(parts, directory, soda?.root?.id ?? null).catch((error) => {
        rootIsGone = isFault(error, "work_item_not_found");
        throw error;
      }),
    ),
    read(() => projects.readSpec(soda?.spec?.path ?? resolve(config.directory, strategy?.spec ?? "Sodafile"))),
    read(async () => (soda?.project ? await projects.memory(soda.project) : "")),
  ]);
  others.resolve();
  const code = await coding;
  const items = "error" in work ? [] : work.items;
  const comments = "error" in work ? [] : work.comments;
  const modified = soda?.spec !== undefined && soda.spec !== null && !("error" in spec) && spec.sha !== soda.spec.sha;
  const untold = words.filter(({ told }) => !told);
  const human: HumanInput[] = [
    ...untold.map(
      ({ text, at }): HumanInput => ({
        // Words that came while it stood still are what it was asked for.
        type: soda?.history.at(-1)?.decision === "STUCK" ? "answer" : "correction",
        content: text,
        timestamp: at,
      }),
    ),
    ...("error" in work ? [] : othersOf(parts, soda?.mark ?? null, items, comments)),
    ...(modified ? [{ type: "spec" as const, content: "The spec was changed.", timestamp: now.toISOString() }] : []),
  ];
  const claims: Claims = {
    timestamp: now.toISOString(),
    iteration_number: iteration,
    code_state: code,
    survey,
    work_state: "error" in work ? work : workStateOf(items, comments),
    project_state: projectStateOf(soda, iteration),
    // A spec that cannot be read must not keep a human's words from being heard: they are said once.
    human_input:
      human.length > 0
        ? { items: human, spec_modified: modified }
        : "error" in spec && soda?.spec
          ? { error: spec.error }
          : null,
    learnings,
  };
  return {
    claims,
    said: untold.map(({ seq }) => seq),
    cursor: "error" in work ? (soda?.mark?.cursor ?? "") : work.cursor,
    links: "error" in work ? null : linksOfOpen(items),
    spec: modified && !("error" in spec) ? spec : null,
    specError: "error" in spec ? spec.error : null,
    rootIsGone,
  };
}

/** SENSE for a folder in which no loop works yet. */
export async function senseDirectory(
  { projects, workspaces }: SenseParts,
  directory: string,
  now: Date,
): Promise<Claims> {
  const [code_state, survey, learnings] = await Promise.all([
    read(() => codeStateOf(workspaces, directory)),
    read(() => projects.survey(directory)),
    read(async () => {
      const project = await projects.find(directory);
      return project === null ? "" : await projects.memory(project);
    }),
  ]);
  return {
    timestamp: now.toISOString(),
    iteration_number: 1,
    code_state,
    survey,
    work_state: workStateOf([], []),
    project_state: projectStateOf(null, 1),
    human_input: null,
    learnings,
  };
}

/** A folder that is in no repository yet has no commits to build on, like a repository without any (S-CODE-6). */
async function codeStateOf(workspaces: Workspaces, directory: string): Promise<CodeState> {
  return await workspaces.codeState({ directory }).catch((error) => {
    if (!isFault(error, "not_a_repository")) throw error;
    return noCode;
  });
}

const noCode: CodeState = {
  branch: null,
  staged: 0,
  unstaged: 0,
  base: null,
  commits: [],
  commit_count: 0,
  files_changed: [],
  file_count: 0,
  lines_added: 0,
  lines_removed: 0,
  note: "no base commit",
};

async function readWork({ openWorkItems }: SenseParts, directory: string, rootId: string | null) {
  if (rootId === null) return { items: [], comments: [], cursor: "" };
  await using items = openWorkItems(directory);
  return await items.snapshot(rootId);
}

function projectStateOf(soda: LoopView["soda"], iteration: number): Claims["project_state"] {
  const history = soda?.history ?? [];
  return {
    iteration_number: iteration,
    history: history.slice(-historyShown).map((line) => ({
      iteration: line.iteration,
      intent: line.intent ?? "no plan",
      outcome: outcomeOf(line),
    })),
    last_summaries: {
      executor: history.findLast(({ executor }) => executor !== null)?.executor ?? null,
      verifier: history.findLast(({ verifier }) => verifier !== null)?.verifier ?? null,
    },
    repeats: findRepeats(history),
    note: history.length === 0 ? "first iteration" : null,
  };
}

function outcomeOf({ decision, completed, blocked, counts, reason }: NonNullable<LoopView["soda"]>["history"][number]) {
  const judged = counts === null ? "" : `${counts[0]} of ${counts[1]} criteria satisfied; `;
  if (decision === "STUCK") return `${judged}STUCK: ${reason ?? "no reason"}`;
  if (decision === null) return `${judged}ended before a decision`;
  return `${judged}${decision}; ${completed} ${completed === 1 ? "task" : "tasks"} completed, ${blocked} blocked`;
}

/** What a source says, or why it could not be read. Bugs are thrown on. */
async function read<T>(source: () => Promise<T>): Promise<T | { error: string }> {
  try {
    return await source();
  } catch (error) {
    if (isFault(error) || (error instanceof Error && "code" in error)) return { error: (error as Error).message };
    throw error;
  }
}
