import { resolve } from "node:path";
import {
  BackendConfig,
  type BackendReport,
  type Command,
  type CreateLoopRequest,
  type EphemeralEvent,
  Fault,
  firstLine,
  type HandleUncommitted,
  type Hub,
  isUnderWay,
  type LoopConfig,
  LoopId,
  type LoopSettings,
  type LoopView,
  type Workspace,
} from "@ralpher/contract";
import { exportBundle } from "./bundle/export-bundle.ts";
import { importLoop } from "./bundle/import-loop.ts";
import { carryOut } from "./carry-out.ts";
import { decide, isDone, requireAllowed } from "./decide.ts";
import { diffOf } from "./diff-of.ts";
import { listDirectories } from "./directories.ts";
import { eventsOf } from "./engine/execution.ts";
import { readIterations } from "./iterations.ts";
import { Live } from "./live.ts";
import { modelsPlace } from "./models-place.ts";
import { holdBeginning, requireOnlyRun } from "./one-run.ts";
import {
  hasLeftBranch,
  requireAgent,
  requireDirectory,
  requireSodaSettings,
  requireStartable,
  requireTarget,
} from "./preconditions.ts";
import { makePullRequest, push } from "./publish.ts";
import { senseDirectory, senseLoop } from "./sense.ts";
import { changeSettings, settingsOf } from "./settings.ts";
import { readSoda } from "./soda-report.ts";
import { compileStopPattern } from "./stop-pattern.ts";
import { Summaries } from "./summaries.ts";
import { Supervisor, type SupervisorOptions } from "./supervisor.ts";
import { systemClock } from "./system-clock.ts";
import { sumSince } from "./totals.ts";
import { findUnrecordedUpdate } from "./unrecorded-update.ts";
import { HandOffWatch } from "./vaults/hand-off-watch.ts";
import { readTaskDetail } from "./vaults/task-detail.ts";
import {
  answeredBefore,
  requireTaskBeginnable,
  requireTaskStartable,
  requireTaskWords,
} from "./vaults/task-preconditions.ts";
import { readVaultBoard, tellVault } from "./vaults/vault-board.ts";
import { openVaultWatch, type VaultWatchOptions } from "./vaults/vault-watch.ts";
import { Waker } from "./waker.ts";

export interface HubParts extends Omit<SupervisorOptions, "runs"> {
  /** Makes the ids of new loops. */
  newId: () => string;
  /** `all`: run every loop of this data root that wants running; `adopted`: only those given to `adopt`. */
  runs: SupervisorOptions["runs"];
}

/** The hub of this process. Disposing it lets go of all loops; they stay ready to go on. */
export interface RunningHub extends Hub, AsyncDisposable {
  /** Run this loop in this process whenever it wants running. */
  adopt(loopId: LoopId): void;
  /** Take up every task file that is put into the vault, until disposed. @throws Fault `vault_unusable`, `vault_watched` */
  watchVault(directory: string, options: VaultWatchOptions): Promise<AsyncDisposable>;
}

/** What is asked of a loop whoever has it in hand. Another target is for one that nobody merges right now. */
function isSteering(command: Command): boolean {
  if (command.type === "update") return command.changes.target === undefined;
  return steering.includes(command.type);
}
const steering: Command["type"][] = ["pause", "stop", "say", "unsay"];
/** How long a command waits for another to be through with the loop. */
const putDownMs = 5_000;

/** Put the ports together to the one thing that surfaces talk to. */
export function createHub(parts: HubParts): RunningHub {
  const { journal, workspaces, backends, clock } = parts;
  const supervisor = new Supervisor(parts);
  const askers = new HandOffWatch({
    ...parts,
    runs: (loopId) => supervisor.runs(loopId),
    choose: (command) => hub.dispatch(command),
  });
  const waker = new Waker({ ...parts, runs: (loopId) => supervisor.runs(loopId) });
  const live = new Live();
  const summaries = new Summaries(journal, clock);
  const unsubscribe = journal.subscribe((published) => {
    live.hear(published);
    summaries.hear(published);
  });

  const require = async (loopId: LoopId): Promise<LoopView> => {
    const view = await journal.find(loopId);
    if (view === null) throw new Fault("loop_not_found", { id: loopId });
    return view;
  };

  /**
   * A loop at rest may be in hand all the same: it is being accepted, discarded or deleted, or was just put down.
   * @throws Fault `loop_busy` when it stays so
   */
  const untilPutDown = async (loopId: LoopId): Promise<void> => {
    const until = Date.now() + putDownMs;
    for (;;) {
      const view = await require(loopId);
      const holder = isUnderWay(view) ? null : await journal.holder(loopId);
      if (holder === null) return;
      if (Date.now() > until) throw new Fault("loop_busy", { id: loopId, owner: `process ${holder.pid}` });
      await systemClock.sleep(20);
    }
  };

  /** Is there anything against starting it now? */
  const check = async (config: LoopSettings, handleUncommitted: HandleUncommitted | undefined) => {
    await requireStartable(workspaces, config, handleUncommitted);
    await requireAgent(backends, config.backend);
  };

  /** The same for one that has its workspace; in place, a checkout that left the loop's branch is the user's again. */
  const checkAgain = async (view: LoopView, workspace: Workspace, handleUncommitted: HandleUncommitted | undefined) => {
    if (await hasLeftBranch(workspaces, workspace)) await requireStartable(workspaces, view.config, handleUncommitted);
    await requireAgent(backends, view.config.backend);
  };

  const hub: RunningHub = {
    require,

    async create({ start, another, ...request }: CreateLoopRequest): Promise<LoopView> {
      await requireOnlyRun(journal, { ...request, another });
      const settings = await settingsOf(journal, { ...request, ...(await wordsOf(parts, request)) });
      compileStopPattern(settings.stopPattern);
      if (!backends.has(settings.backend.type)) {
        throw new Fault("unknown_backend", { backend: settings.backend.type, known: [...backends.keys()] });
      }
      if (start === undefined) await requireStartable(workspaces, settings, "ignore");
      else await check(settings, start.handleUncommitted);
      const { directory, strategy } = settings;
      if (start !== undefined) await requireTaskBeginnable(parts, settings);
      using _ = await holdBeginning(parts, { directory, strategy, another });
      const at = clock.now();
      const id = LoopId.parse(parts.newId());
      const config: LoopConfig = { ...settings, id, createdAt: at.toISOString(), updatedAt: at.toISOString() };
      const view = await journal.append(id, () =>
        eventsOf(id, at, [
          { type: "loop.created", config },
          ...(start === undefined ? [] : [{ type: "loop.starting" as const, ...start }]),
        ]),
      );
      if (view === null) throw new Error("a loop that was just created has a view");
      return view;
    },

    async dispatch(asked: Command): Promise<LoopView | null> {
      const { loopId } = asked;
      if (!isSteering(asked)) await untilPutDown(loopId);
      const view = await require(loopId);
      const command = asked.type === "start" ? await answeredBefore(parts, view, asked) : asked;
      if (isDone(command)) {
        requireAllowed(view, command);
        return await carryOut(parts, command);
      }
      if (command.type === "choose") {
        decide(view, command, clock.now());
        await requireTaskStartable(parts, view, { resetFailures: true, isChoice: true });
      }
      if (command.type === "start") {
        decide(view, command, clock.now()); // a refusal by state comes before one by the folder
        const { resetFailures = false } = command;
        await requireTaskStartable(parts, view, { resetFailures, isChoice: false });
        if (view.workspace === null) await check(view.config, command.handleUncommitted);
        else await checkAgain(view, view.workspace, command.handleUncommitted);
      }
      if (command.type === "update") {
        decide(view, command, clock.now());
        await requireTarget(workspaces, view, command.changes.target);
        const { test } = command.changes;
        if (typeof test === "string") await parts.projects.checkTestCommand(test);
      }
      const goesOn = command.type === "start" || command.type === "resume";
      const unrecorded = goesOn && !isUnderWay(view) ? await findUnrecordedUpdate(workspaces, view) : null;
      return await journal.append(loopId, (current) => {
        if (current === null) throw new Fault("loop_not_found", { id: loopId });
        const decided = decide(current, command, clock.now());
        return eventsOf(loopId, clock.now(), [...(unrecorded?.(current) ?? []), ...decided]);
      });
    },

    async resolve(text: string): Promise<LoopId> {
      const whole = LoopId.safeParse(text);
      if (whole.success) return (await require(whole.data)).id;
      const byName = (await journal.list({ text }))
        .filter((row) => row.config.name === text)
        .map((row) => row.config.id);
      const matches = byName.length > 0 ? byName : text === "" ? [] : await journal.findByPrefix(text.toLowerCase());
      const [first, ...others] = matches;
      if (first === undefined) throw new Fault("loop_not_found", { id: text });
      if (others.length > 0) throw new Fault("ambiguous_id", { id: text, matches });
      return first;
    },

    list: (query) => journal.list(query),
    listRaw: (query) => journal.listRaw(query),
    count: (query) => journal.count(query),
    read: (query) => journal.read(query),
    readRaw: (query) => journal.readRaw(query),
    latest: () => journal.latest(),
    subscribe: (listener) => journal.subscribe(listener),
    live: (loopId): EphemeralEvent[] => live.now(loopId),

    diff: async (loopId, of) => await diffOf(parts, await require(loopId), of),

    async readFile(loopId, path, at) {
      const { workspace } = await require(loopId);
      return workspace === null ? null : await workspaces.readFile(workspace, path, at);
    },

    async facts(loopId) {
      const { workspace } = await require(loopId);
      return workspace === null || workspace.kind === "plain" ? null : await workspaces.facts(workspace);
    },
    push: async (loopId, options) => await push(parts, await require(loopId), options?.remote),
    pullRequest: async (loopId, options) => await makePullRequest(parts, await require(loopId), options),

    search: async (loopId, query) => await journal.search((await require(loopId)).id, query),
    iterations: async (loopId, page) => await readIterations(journal, await require(loopId), page),

    totals: (since) => sumSince(journal, since),

    async *exportBundle(loopId) {
      yield* exportBundle(parts, await require(loopId));
    },
    importLoop: (source) => importLoop(parts, source),

    soda: async (loopId, page) => await readSoda(parts, await require(loopId), page),
    async sense(of) {
      if ("directory" in of) return await senseDirectory(parts, of.directory, clock.now());
      const view = await require(of.loopId);
      if (view.soda === null) throw new Fault("not_soda", { id: of.loopId });
      return (await senseLoop(parts, view, view.iteration + 1, clock.now())).claims;
    },
    openWorkItems: parts.openWorkItems,

    task: async (loopId) => await readTaskDetail(parts, await require(loopId)),
    async initVault(directory) {
      const { created } = await parts.vaults.init(directory);
      return { root: await parts.vaults.find(directory), created };
    },
    findVault: (directory) => parts.vaults.find(directory),
    vault: (directory) => readVaultBoard(parts, directory),
    tellVault: (directory, command) => tellVault(parts, directory, command),

    settings: () => journal.settings(),
    changeSettings: (changes) => changeSettings(journal, changes),

    inspect: (directory) => workspaces.inspect(directory),
    directories: listDirectories,

    async models(type, directory, signal) {
      const backend = backends.get(type);
      if (backend === undefined) throw new Fault("unknown_backend", { backend: type, known: [...backends.keys()] });
      await requireDirectory(directory);
      const place = await modelsPlace(journal, directory);
      return await backend.models({ config: BackendConfig.parse({ type }), directory: place, signal });
    },

    async backends(): Promise<BackendReport[]> {
      return await Promise.all(
        [...backends.values()].map(async (backend) => ({
          type: backend.type,
          capabilities: backend.capabilities,
          health: await backend.health(),
        })),
      );
    },

    adopt: (loopId) => supervisor.adopt(loopId),
    watchVault: (directory, options) => openVaultWatch({ ...parts, hub }, directory, options),

    async [Symbol.asyncDispose]() {
      unsubscribe();
      summaries.close();
      await askers[Symbol.asyncDispose]();
      await waker[Symbol.asyncDispose]();
      await supervisor[Symbol.asyncDispose]();
    },
  };
  return hub;
}

/**
 * What the request leaves open: SODA's name and prompt come from its spec (L-MILE-1), a task's from its file.
 */
async function wordsOf(
  parts: HubParts,
  request: CreateLoopRequest,
): Promise<Partial<CreateLoopRequest> & { name: string; prompt: string }> {
  const { projects } = parts;
  const { strategy, directory, prompt } = request;
  if (strategy.type === "task") return await requireTaskWords(parts, request, strategy);
  if (strategy.type === "soda") {
    await requireDirectory(directory);
    await requireSodaSettings(parts, directory, strategy);
    const spec = await projects.readSpec(resolve(directory, strategy.spec));
    return { name: request.name ?? spec.title, prompt: spec.text };
  }
  if (prompt === undefined) {
    const issue = { path: "prompt", message: "there is none; it says what the loop is to do" };
    throw new Fault("invalid_input", { what: "loop", issues: [issue] });
  }
  return { name: request.name ?? nameOf(prompt), prompt };
}

/** A loop nobody named is called by the first line of its prompt. */
function nameOf(prompt: string): string {
  return firstLine(prompt.replace(/^[#\s>*-]+/, ""), 60) ?? "loop";
}
