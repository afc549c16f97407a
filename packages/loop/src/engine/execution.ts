import type {
  AgentBackend,
  BackendType,
  Captures,
  Clock,
  Conversations,
  DurableEvent,
  EphemeralEvent,
  EventBody,
  Journal,
  LoopId,
  LoopView,
  OwnChange,
  Projects,
  Step,
  Vaults,
  WorkItems,
  Workspaces,
} from "@ralpher/contract";

/** The ports the engine works with. */
export interface EngineParts {
  journal: Journal;
  workspaces: Workspaces;
  backends: Map<BackendType, AgentBackend>;
  clock: Clock;
  /** End the processes of agents that belonged to processes of ours that died. */
  endLeftovers: () => Promise<unknown>;
  captures: Captures;
  /** What strategies that check need besides; see their ports. */
  conversations: Conversations;
  projects: Projects;
  vaults: Vaults;
  openWorkItems: (directory: string) => WorkItems;
  /** What agents changed in the work items by themselves, noted later than this. Never throws. */
  changesByAgents: (after: string) => OwnChange[];
}

/** One process's hold on one loop: what a step needs to be performed and recorded. */
export interface Execution extends EngineParts {
  loopId: LoopId;
  /** Ends what is being done: a stop, a pause now, the end of this process, or a lost lease. */
  signal: AbortSignal;
  /** Ends a wait: somebody asked for something. */
  bell: AbortSignal;
  /** Record what happened. Throws when the loop is no longer ours. */
  record(bodies: EventBody[]): Promise<LoopView>;
  /** Show something to those who watch now. */
  show(event: EphemeralBody): void;
}

export type EphemeralBody = EphemeralEvent extends infer E
  ? E extends EphemeralEvent
    ? Omit<E, "loopId" | "at">
    : never
  : never;

/** Performs one kind of step: does it, and records what came of it. */
export type Performer<D extends Step["do"]> = (
  execution: Execution,
  step: Extract<Step, { do: D }>,
  view: LoopView,
) => Promise<unknown>;

/** Complete bodies to events of this loop at this time. */
export function eventsOf(loopId: LoopId, now: Date, bodies: EventBody[]): DurableEvent[] {
  const at = now.toISOString();
  return bodies.map((body) => ({ ...body, loopId, at }) as DurableEvent);
}
