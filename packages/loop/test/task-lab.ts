import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "@ralpher/agent";
import {
  type HandOffChoice,
  type LoopId,
  type LoopView,
  type StepReport,
  type TaskState,
  type TurnResult,
  unknownUsage,
} from "@ralpher/contract";
import { createVaults } from "@ralpher/vault";
import { git, hastyClock, type LabOptions, openLab, type Play } from "./lab.ts";

/** What an agent on stage knows of the step it plays. */
export interface StepTurn {
  iteration: number;
  /** The step's key. */
  step: string;
  prompt: string;
  /** The vault. */
  directory: string;
  signal: AbortSignal;
}

/** Plays the work on a step; what it returns is what the agent reports, a success where nothing is said. */
export type StepPlay = (turn: StepTurn) => unknown;

const quick = "  iteration_interval_seconds: 0\n  max_backoff_seconds: 1\n";

/** A vault with one task, and a hub whose agent plays its steps as told. */
export async function openTaskStage(
  play: StepPlay = () => ({}),
  {
    task = "# Three steps\n\n- [ ] One\n- [ ] Two\n- [ ] Three\n",
    config = "",
    inGit = false,
    ...options
  }: { task?: string; config?: string; inGit?: boolean } & Pick<LabOptions, "clock" | "spoils" | "runs"> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-task-"));
  const root = join(folder, "my vault ü");
  if (inGit) {
    await mkdir(root);
    await git(root, "init", "-q", "-b", "main");
    await git(root, "config", "user.name", "Somebody");
    await git(root, "config", "user.email", "somebody@localhost");
  }
  const vaults = createVaults({ runProgram, version: "1.4.2" });
  await vaults.init(root);
  const at = (path: string) => join(root, path);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const configure = (lines: string) =>
    write("Control/autonomous_loop_config.yaml", `autonomous_loop:\n${quick}${lines}\n`);
  await configure(config);
  await write("Specs/auth/tasks.md", task);
  const seen: StepTurn[] = [];
  const lab = openLab({ folder, play: playOf(play, seen), clock: hastyClock, ...options });
  const stage = {
    ...lab,
    folder,
    root,
    vault: await vaults.open(root),
    /** Every turn of work, with its prompt. */
    seen,
    write,
    configure,
    read: (path: string) => readFile(at(path), "utf8"),
    names: (path: string) => readdir(at(path)).then((names) => names.toSorted()),
    git: (...args: string[]) => git(root, ...args),
    begin: async (more: Record<string, unknown> = {}, strategy: Record<string, unknown> = {}): Promise<LoopId> => {
      const view = await lab.create(root, {
        name: undefined,
        prompt: undefined,
        strategy: { type: "task", file: "Specs/auth/tasks.md", ...strategy },
        start: {},
        ...more,
      });
      return view.id;
    },
    /** The end of a run of the task, from its begin or its last start. */
    run: async (more: Record<string, unknown> = {}, strategy: Record<string, unknown> = {}): Promise<LoopView> =>
      lab.atRest(await stage.begin(more, strategy)),
    state: async (path = ".state/autonomous_loop_state.json"): Promise<TaskState> => JSON.parse(await stage.read(path)),
    /** The one file that asks a human, and its path. */
    async handOff(): Promise<{ path: string; text: string }> {
      const names = await stage.names("Needs_Action");
      if (names.length !== 1) throw new Error(`${names.length} hand-offs: ${names.join(", ")}`);
      return { path: `/Needs_Action/${names[0]}`, text: await stage.read(`Needs_Action/${names[0]}`) };
    },
    /** As a human does in an editor. */
    async tickChoice(choice: HandOffChoice): Promise<void> {
      const { path, text } = await stage.handOff();
      const ticked = text.replace(new RegExp(`- \\[ \\](.*<!-- ralpher:${choice} -->)`), "- [x]$1");
      if (ticked === text) throw new Error(`${choice} is not offered`);
      await write(path, ticked);
    },
    /** The next time that it comes to rest after something made it go on. */
    nextRest: async (loopId: LoopId, since: LoopView): Promise<LoopView> =>
      await lab.until(
        loopId,
        (view) => view.seq > since.seq && view.completedAt !== null && view.completedAt > (since.completedAt ?? ""),
      ),
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return stage;
}

export type TaskStage = Awaited<ReturnType<typeof openTaskStage>>;

const done: StepReport = { result: "success", action: "write_code", summary: "did it" };
const usage = { ...unknownUsage, inputTokens: 10, outputTokens: 2 };

function playOf(play: StepPlay, seen: StepTurn[]): Play {
  const reports = new Map<string, StepReport>();
  return async function* ({ prompt, prompts, sessionId, request, options, signal }): AsyncGenerator<never, TurnResult> {
    if (options.output !== undefined) {
      return { outcome: "done", text: "reported", structured: reports.get(sessionId) ?? done, usage };
    }
    if (prompts.length > 1) throw new Error("a step is asked about once before its report");
    const [, iteration = "", step = ""] = /iteration (\d+): (.*)/.exec(request.title) ?? [];
    const turn = { iteration: Number(iteration), step, prompt, directory: request.directory, signal };
    seen.push(turn);
    const report = await play(turn);
    if (report instanceof Error) {
      return { outcome: "failed", failure: { reason: "server", message: report.message }, usage };
    }
    reports.set(sessionId, { ...done, ...(report as Partial<StepReport> | undefined) });
    return { outcome: "done", text: `worked on ${step}`, usage };
  };
}
