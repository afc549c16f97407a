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
import { requireAgent, requireDirectory, requireStartable } from "./preconditions.ts";
import { makePullRequest, push } from "./publish.ts";
import { changeSettings, settingsOf } from "./settings.ts";
import { compileStopPattern } from "./stop-pattern.ts";
import { Summaries } from "./summaries.ts";
import { Supervisor, type SupervisorOptions } from "./supervisor.ts";
import { systemClock } from "./system-clock.ts";
import { sumSince } from "./totals.ts";

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
}

/** What is asked of a loop whoever has it in hand. */
const steering: Command["type"][] = ["update", "pause", "stop", "say", "unsay"];
/** How long a command waits for another to be through with the loop. */
const putDownMs = 5_000;

/** Put the ports together to the one thing that surfaces talk to. */
export function createHub(parts: HubParts): RunningHub {
  const { journal, workspaces, backends, clock } = parts;
  const supervisor = new Supervisor(parts);
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

  return {
    require,

    async create({ start, ...request }: CreateLoopRequest): Promise<LoopView> {
      const settings = await settingsOf(journal, { ...request, name: request.name ?? nameOf(request.prompt) });
      compileStopPattern(settings.stopPattern);
      if (!backends.has(settings.backend.type)) {
        throw new Fault("unknown_backend", { backend: settings.backend.type, known: [...backends.keys()] });
      }
      if (start === undefined) await requireStartable(workspaces, settings, "ignore");
      else await check(settings, start.handleUncommitted);
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

    async dispatch(command: Command): Promise<LoopView | null> {
      const { loopId } = command;
      if (!steering.includes(command.type)) await untilPutDown(loopId);
      const view = await require(loopId);
      if (isDone(command)) {
        requireAllowed(view, command);
        return await carryOut(parts, command);
      }
      if (command.type === "start") {
        decide(view, command, clock.now()); // a refusal by state comes before one by the folder
        if (view.workspace === null) await check(view.config, command.handleUncommitted);
        else await requireAgent(backends, view.config.backend);
      }
      return await journal.append(loopId, (current) => {
        if (current === null) throw new Fault("loop_not_found", { id: loopId });
        return eventsOf(loopId, clock.now(), decide(current, command, clock.now()));
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

    async [Symbol.asyncDispose]() {
      unsubscribe();
      summaries.close();
      await supervisor[Symbol.asyncDispose]();
    },
  };
}

/** A loop nobody named is called by the first line of its prompt. */
function nameOf(prompt: string): string {
  return firstLine(prompt.replace(/^[#\s>*-]+/, ""), 60) ?? "loop";
}
