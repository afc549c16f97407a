import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type LoopId,
  type NewTask,
  type Orientation,
  type TaskReport,
  type TurnResult,
  unknownUsage,
} from "@ralpher/contract";
import { openWorkItems } from "@ralpher/trace";
import { git, hastyClock, type LabOptions, openLab, type Play } from "./lab.ts";
import { orientation } from "./paper-soda.ts";

/** What an agent on stage knows of the turn it plays. */
export interface SodaTurn {
  iteration: number;
  prompt: string;
  /** Where the agent works. */
  directory: string;
}

export interface SodaPlay {
  orient: (turn: SodaTurn) => Partial<Orientation> | Promise<Partial<Orientation>> | unknown;
  /** Does the work on a task; `round` from 1. */
  execute?: (task: { id: string; title: string; round: number } & SodaTurn) => Promise<unknown>;
}

/** A folder with a spec and nothing else, and a hub whose agent plays ORIENT and executors as told. */
export async function openSodaStage(
  play: SodaPlay,
  {
    spec = "# Greeter\n\n- [ ] it greets\n",
    ...options
  }: { spec?: string } & Pick<LabOptions, "clock" | "spoils"> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-soda-"));
  const project = join(folder, "greeter ü");
  await mkdir(project);
  await writeFile(join(project, "Sodafile"), spec);
  const seen: { role: string | undefined; prompt: string }[] = [];
  const lab = openLab({ folder, play: playOf(play, seen), clock: hastyClock, ...options });
  const items = () => openWorkItems({ directory: project, home: join(folder, "trace") });
  return {
    ...lab,
    folder,
    project,
    /** Every prompt an agent got. */
    seen,
    items,
    begin: async (more: Record<string, unknown> = {}, strategy: Record<string, unknown> = {}) => {
      const view = await lab.create(project, {
        name: undefined,
        prompt: undefined,
        strategy: { type: "soda", ...strategy },
        start: { handleUncommitted: "ignore" },
        ...more,
      });
      return view.id;
    },
    /** All items of the run, root first. */
    itemsOf: async (id: LoopId) => {
      const { soda } = await lab.hub.require(id);
      await using opened = items();
      return await opened.snapshot(soda?.root?.id ?? "");
    },
    git: (...args: string[]) => git(project, ...args),
    /** A repository with tests of which one fails. */
    async redProject() {
      await git(project, "init", "-q", "-b", "main");
      await mkdir(join(project, "failing"));
      await writeFile(join(project, "failing", "old"), "");
      await writeFile(join(project, "run-tests.sh"), testScript);
      await git(project, "add", "failing", "run-tests.sh");
      await git(project, "commit", "-q", "-m", "red from the start");
    },
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const usage = { ...unknownUsage, inputTokens: 10, outputTokens: 2 };

function playOf(play: SodaPlay, seen: { role: string | undefined; prompt: string }[]): Play {
  const rounds = new Map<string, number>();
  const reports = new Map<string, TaskReport>();
  return async function* ({ prompt, prompts, request, options }): AsyncGenerator<never, TurnResult> {
    seen.push({ role: request.role, prompt });
    const iteration = Number(/iteration (\d+)/.exec(request.title)?.[1]);
    const turn = { iteration, prompt: prompts.join("\n"), directory: request.directory };
    if (request.role === "orient") {
      if (options.output === undefined) return { outcome: "done", text: "seen", usage };
      const answer = (await play.orient(turn)) as Partial<Orientation>;
      const structured = "broken" in answer ? answer : orientation(answer);
      return { outcome: "done", text: "judged", structured, usage };
    }
    const [, id = "", title = ""] = /task is (\S+): (.*)/.exec(turn.prompt) ?? [];
    if (options.output !== undefined) {
      return { outcome: "done", text: "reported", structured: reports.get(request.title) ?? done, usage };
    }
    if (prompts.length === 2) {
      const round = (rounds.get(`${iteration} ${id}`) ?? 0) + 1;
      rounds.set(`${iteration} ${id}`, round);
      const report = await play.execute?.({ id, title, round, ...turn });
      reports.set(request.title, { ...done, ...(report as Partial<TaskReport> | undefined) });
    }
    return { outcome: "done", text: "worked", usage };
  };
}

const done: TaskReport = { outcome: "completed", summary: "did it, and proved it", new_subtasks: [], learnings: [] };

export const newTask = (ref: string, title: string, more: Partial<NewTask> = {}): NewTask => ({
  ref,
  title,
  description: "",
  priority: 2,
  kind: "task",
  ...more,
});

/** A plan with new tasks of these titles, and nothing else to do. */
export const planNew = (...titles: string[]): Partial<Orientation> => ({
  new_tasks: titles.map((title, index) => newTask(`new-${index + 1}`, title)),
  iteration_plan: { intent: titles[0] ?? "", approach: "small steps", tasks: titles.map((_, n) => `new-${n + 1}`) },
});

/** A test runner that fails for each file in `failing/`, in TAP. */
const testScript = `#!/bin/sh
n=0; bad=0
for file in passing/* failing/*; do
  [ -e "$file" ] || continue
  n=$((n+1))
  case "$file" in
    failing/*) bad=$((bad+1)); echo "not ok $n - $(basename "$file")";;
    *) echo "ok $n - $(basename "$file")";;
  esac
done
echo "1..$n"
[ $bad -eq 0 ]
`;
