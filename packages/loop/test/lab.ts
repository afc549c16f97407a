import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCaptures, createConversations, createScriptedBackend, endLeftovers, runProgram } from "@ralpher/agent";
import {
  type Clock,
  CreateLoopRequest,
  isUnderWay,
  type Journal,
  type LoopId,
  type LoopView,
  type StoredEvent,
  type TurnResult,
} from "@ralpher/contract";
import { createWorkspaces } from "@ralpher/git";
import { createProjects } from "@ralpher/project";
import { openJournal } from "@ralpher/store";
import { openWorkItems } from "@ralpher/trace";
import { createVaults } from "@ralpher/vault";
import { createHub } from "../src/hub.ts";
import { systemClock } from "../src/system-clock.ts";

export type Play = NonNullable<NonNullable<Parameters<typeof createScriptedBackend>[0]>["play"]>;

export const said = (text: string): TurnResult => ({
  outcome: "done",
  text,
  usage: { inputTokens: 10, outputTokens: 2, costUsd: null },
});

/** A clock that stands still until it is told. */
export class HandClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  #sleepers: { until: number; wake: () => void }[] = [];

  now(): Date {
    return new Date(this.#now);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sleepers.push({ until: this.#now + ms, wake: resolve });
    signal?.addEventListener("abort", () => resolve(), { once: true });
    if (signal?.aborted) resolve();
    return promise;
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#sleepers.filter(({ until }) => until <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now);
    for (const { wake } of due) wake();
  }
}

/** Run git and wait; its standard output. Throws with its words when it fails. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const run = Bun.spawn(["git", ...args], { cwd, stdout: "pipe", stderr: "pipe", stdin: "ignore" });
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${err}`);
  return out.trimEnd();
}

/** A folder with a repository of one commit, removed afterwards. */
export async function openGround() {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-loop-"));
  const repository = join(folder, "my project ü");
  await mkdir(repository);
  await git(repository, "init", "-q", "-b", "main");
  await git(repository, "config", "user.name", "Somebody");
  await git(repository, "config", "user.email", "somebody@localhost");
  await writeFile(join(repository, "README.md"), "# project\n");
  await git(repository, "add", "-A");
  await git(repository, "commit", "-q", "-m", "first");
  return { folder, repository, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** The system's clock, but all waits are over fifty times sooner. */
export const hastyClock: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms / 50, signal),
};

function spoiled(journal: Journal, spoils: (types: string[]) => boolean): Journal {
  const append: Journal["append"] = (loopId, decide, lease) =>
    journal.append(
      loopId,
      (view) => {
        const events = decide(view);
        if (spoils(events.map(({ type }) => type))) throw new Error("spoiled");
        return events;
      },
      lease,
    );
  return new Proxy(journal, {
    get(target, name) {
      if (name === "append") return append;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export interface LabOptions {
  folder: string;
  /** Fails for these events, as if the process had died before it could write them down. */
  spoils?: ((types: string[]) => boolean) | undefined;
  play?: Play;
  clock?: Clock;
  runs?: "all" | "adopted";
}

/** The hub over real SQLite and real git, with an agent in this process that plays as told. */
export function openLab({ folder, play, clock = systemClock, runs = "all", spoils }: LabOptions) {
  const opened = openJournal({ path: join(folder, "data", "ralpher.db") });
  const journal = spoils === undefined ? opened : spoiled(opened, spoils);
  const scripted = createScriptedBackend(play === undefined ? {} : { play });
  const troubles: unknown[] = [];
  const backends = new Map([["scripted" as const, scripted]]);
  const outputs = join(folder, "data", "outputs");
  const hub = createHub({
    journal,
    workspaces: createWorkspaces({ root: join(folder, "data", "worktrees") }),
    backends,
    clock,
    newId: randomUUID,
    endLeftovers,
    captures: createCaptures(outputs),
    conversations: createConversations({ backends, outputs }),
    projects: createProjects({ home: join(folder, "soda"), outputs, runProgram }),
    openWorkItems: (directory) => openWorkItems({ directory, home: join(folder, "trace") }),
    changesByAgents: () => [],
    vaults: createVaults({ runProgram, version: "1.4.2" }),
    runs,
    onTrouble: (_, error) => troubles.push(error),
  });

  /** Resolves when what happened to the loop satisfies the condition. */
  const until = async (
    loopId: LoopId,
    condition: (view: LoopView, event: StoredEvent | null) => boolean,
  ): Promise<LoopView> => {
    const { promise, resolve, reject } = Promise.withResolvers<LoopView>();
    const look = (event: StoredEvent | null) => {
      hub.require(loopId).then((view) => {
        if (condition(view, event)) resolve(view);
      }, reject);
    };
    const unsubscribe = hub.subscribe(({ durable, event }) => {
      if (durable && event.loopId === loopId) look(event);
    });
    look(null);
    return await promise.finally(unsubscribe);
  };

  return {
    hub,
    journal,
    troubles,
    until,
    create: (directory: string, more: Record<string, unknown> = {}) =>
      hub.create(
        CreateLoopRequest.parse({ name: "lab", directory, prompt: "Do it.", backend: { type: "scripted" }, ...more }),
      ),
    atRest: (loopId: LoopId) => until(loopId, (view) => !isUnderWay(view)),
    typesOf: async (loopId: LoopId) => (await hub.read({ loopId, limit: 10_000 })).map(({ type }) => type),
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await scripted[Symbol.asyncDispose]();
      await journal[Symbol.asyncDispose]();
    },
  };
}
