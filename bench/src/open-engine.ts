import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  captureBackend,
  createCaptures,
  createConversations,
  createScriptedBackend,
  endLeftovers,
  runProgram,
} from "@ralpher/agent";
import { CreateLoopRequest, isUnderWay, type LoopId } from "@ralpher/contract";
import { createWorkspaces } from "@ralpher/git";
import { createHub, systemClock } from "@ralpher/loop";
import { createProjects } from "@ralpher/project";
import { openJournal } from "@ralpher/store";
import { openWorkItems } from "@ralpher/trace";
import { createVaults } from "@ralpher/vault";

export interface EngineOptions {
  play: NonNullable<NonNullable<Parameters<typeof createScriptedBackend>[0]>["play"]>;
  /** Path of git; default: found on PATH. */
  git?: string;
}

/** The whole engine over real SQLite and real git, with an agent that plays as told. */
export async function openEngine(folder: string, { play, git }: EngineOptions) {
  const journal = openJournal({ path: join(folder, "data", "ralpher.db") });
  const outputs = join(folder, "data", "outputs");
  const bare = createScriptedBackend({ play });
  const scripted = captureBackend(bare, () => outputs);
  const hub = createHub({
    journal,
    workspaces: createWorkspaces({ root: join(folder, "data", "worktrees"), ...(git === undefined ? {} : { git }) }),
    backends: new Map([["scripted" as const, scripted]]),
    clock: systemClock,
    newId: randomUUID,
    endLeftovers,
    captures: createCaptures(outputs),
    conversations: createConversations({ backends: new Map([["scripted" as const, bare]]), outputs }),
    projects: createProjects({ home: join(folder, "soda"), outputs, runProgram }),
    openWorkItems: (directory) => openWorkItems({ directory, home: join(folder, "trace") }),
    changesByAgents: () => [],
    vaults: createVaults({ runProgram, version: "0.0.0" }),
    runs: "all",
    onTrouble: (loopId, error) => console.error(loopId, error),
  });

  const atRest = (loopId: LoopId): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = async () => {
      if (!isUnderWay(await hub.require(loopId))) resolve();
    };
    const unsubscribe = hub.subscribe(({ durable, event }) => {
      if (durable && event.loopId === loopId) void look();
    });
    void look();
    return promise.finally(unsubscribe);
  };

  return {
    hub,
    async create(directory: string, more: Record<string, unknown> = {}): Promise<LoopId> {
      const request = { name: "bench", directory, prompt: "work", backend: { type: "scripted" }, ...more };
      return (await hub.create(CreateLoopRequest.parse(request))).id;
    },
    atRest,
    /** Run until so many iterations are done. */
    async runTo(loopId: LoopId, maxIterations: number): Promise<void> {
      await hub.dispatch({ type: "update", loopId, changes: { maxIterations } });
      await hub.dispatch({ type: "start", loopId, handleUncommitted: "ignore" });
      await atRest(loopId);
    },
    async worktree(loopId: LoopId): Promise<string> {
      return (await hub.require(loopId)).workspace?.directory ?? "";
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await scripted[Symbol.asyncDispose]();
      await journal[Symbol.asyncDispose]();
    },
  };
}
