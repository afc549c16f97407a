import {
  type Command,
  type EventBody,
  Fault,
  isMergeable,
  isUnderWay,
  isWakeable,
  type LoopConfig,
  type LoopStatus,
  type LoopView,
  statusWord,
  type UpdateLoopRequest,
} from "@ralpher/contract";
import { compileStopPattern } from "./stop-pattern.ts";
import { stopAtRest, withTest } from "./strategies/soda/steering.ts";
import { answerHandOff, withThreshold } from "./strategies/task/steering.ts";
import { wake } from "./wake.ts";

/** Commands that only change the record; what they set off is done by the engine. */
export type RecordedCommand = Extract<
  Command,
  { type: "update" | "start" | "choose" | "pause" | "resume" | "stop" | "say" | "unsay" }
>;

/**
 * What a command comes to, given the loop as it is: events, none when it already is so, or a refusal. Pure.
 * @throws Fault `illegal_transition`, `invalid_input`
 */
export function decide(view: LoopView, command: RecordedCommand, now: Date): EventBody[] {
  switch (command.type) {
    case "update":
      return update(view, command.changes, now);
    case "start":
      return start(view, command);
    case "pause":
      return pause(view, command.now ?? false);
    case "resume":
      return resume(view);
    case "stop":
      return stop(view, command.reason ?? "stopped by hand");
    case "choose":
      return choose(view, command);
    case "say":
      return say(view, command);
    case "unsay":
      return unsay(view, command.seq);
  }
}

const startable: LoopStatus[] = ["idle", "stopped", "failed", "max_iterations", "completed", "stuck"];

function start(view: LoopView, command: Extract<RecordedCommand, { type: "start" }>): EventBody[] {
  const { maxIterations } = view.config;
  if (!startable.includes(view.phase.status)) {
    throw refuse(view, "start", view.phase.status === "paused" ? "Resume it instead." : startHint(view));
  }
  // A task's limits are its vault's as it is now, which is for others to know.
  if (view.task === null && maxIterations !== undefined && view.iteration >= maxIterations) {
    throw refuse(view, "start", `It has used ${view.iteration} of ${maxIterations} iterations; raise the limit first.`);
  }
  const { handleUncommitted, resetFailures } = command;
  return [
    {
      type: "loop.starting",
      ...(handleUncommitted === undefined ? {} : { handleUncommitted }),
      ...(resetFailures === undefined ? {} : { resetFailures }),
    },
  ];
}

function choose(view: LoopView, { choice, path }: Extract<RecordedCommand, { type: "choose" }>): EventBody[] {
  const answered = answerHandOff(view, choice, path);
  if (answered === null) throw refuse(view, "choose", "It asks nothing now.");
  return answered;
}

function startHint(view: LoopView): string {
  return isUnderWay(view) ? "It is already under way." : "Make a new loop.";
}

function pause(view: LoopView, now: boolean): EventBody[] {
  const { phase } = view;
  if (phase.status === "paused") return [];
  if (!("ask" in phase)) throw refuse(view, "pause", "Only a loop that is under way can pause.");
  if (phase.ask?.to === "stop") throw refuse(view, "pause", "It is already stopping.");
  if (phase.ask?.to === "pause" && (phase.ask.now || !now)) return [];
  return [{ type: "loop.pause.requested", now }];
}

function resume(view: LoopView): EventBody[] {
  const { phase } = view;
  if (phase.status === "paused" || ("ask" in phase && phase.ask?.to === "pause")) return [{ type: "loop.resumed" }];
  if (isUnderWay(view) && !("ask" in phase && phase.ask !== null)) return [];
  throw refuse(
    view,
    "resume",
    startable.includes(phase.status) ? "Start it instead." : "Only a paused loop can resume.",
  );
}

function stop(view: LoopView, reason: string): EventBody[] {
  const { phase } = view;
  if (phase.status === "stopped" || ("ask" in phase && phase.ask?.to === "stop")) return [];
  // A paused loop may hold an interrupted iteration: it is taken up once more, just to be put away properly.
  if (phase.status === "paused") return [{ type: "loop.resumed" }, { type: "loop.stop.requested", reason }];
  if (view.soda !== null && !isUnderWay(view)) return stopAtRest(view, reason);
  if (!isUnderWay(view)) throw refuse(view, "stop", "It is not under way.");
  return [{ type: "loop.stop.requested", reason }];
}

/** More than anybody reads in one prompt. */
const mostSaid = 50;

function say(view: LoopView, { text, now = false }: Extract<RecordedCommand, { type: "say" }>): EventBody[] {
  const { status } = view.phase;
  if (status === "accepted" || status === "discarded") throw refuse(view, "listen", "Make a new loop.");
  if (view.said.length >= mostSaid) {
    const message = `${mostSaid} messages wait already; take some back, or let it go on`;
    throw new Fault("invalid_input", { what: "message", issues: [{ path: "text", message }] });
  }
  // Whoever is stuck waits for just this.
  const awake = isWakeable(view) ? wake({ by: "answer", note: "a human answered" }) : [];
  return [{ type: "loop.said", text, now }, ...awake];
}

function unsay(view: LoopView, seq: number): EventBody[] {
  const words = view.said.find((candidate) => candidate.seq === seq);
  if (words === undefined) throw new Fault("not_found", { what: `message ${seq} that waits` });
  if (words.told) throw refuse(view, "take that back", "The agent has read it.");
  return [{ type: "loop.unsaid", said: seq }];
}

function update(view: LoopView, { target, ...changes }: UpdateLoopRequest, now: Date): EventBody[] {
  if ((view.soda !== null || view.task !== null) && changes.prompt !== undefined) {
    const where = view.soda?.spec?.path ?? view.task?.look?.path ?? "the file";
    const what = view.soda === null ? "task's file" : "spec";
    const issue = {
      path: "prompt",
      message: `it is the ${what}; change ${where}, which is read before each iteration`,
    };
    throw new Fault("invalid_input", { what: "loop", issues: [issue] });
  }
  // A request that changes nothing is recorded as well, as it always was.
  const isAlone = target !== undefined && Object.values(changes).every((value) => value === undefined);
  return [
    ...(isAlone ? [] : [{ type: "loop.updated" as const, config: applyChanges(view.config, changes, now) }]),
    ...(target === undefined ? [] : retarget(view, target)),
  ];
}

/** That the branch is there is for others to know. */
function retarget(view: LoopView, branch: string): EventBody[] {
  const { workspace, phase } = view;
  const what = "change its target";
  if (isUnderWay(view)) throw refuse(view, what, "Stop it first.");
  if (phase.status === "accepted" || phase.status === "discarded") {
    throw refuse(view, what, "Its work was dealt with already.");
  }
  if (workspace === null || workspace.kind === "plain") throw refuse(view, what, "It has no branch to merge.");
  if (branch === workspace.originalBranch) return [];
  if (branch !== workspace.workingBranch) return [{ type: "loop.target.changed", branch }];
  const message = "that is the loop's own branch";
  throw new Fault("invalid_input", { what: "loop", issues: [{ path: "target", message }] });
}

/** A loop's settings with some of them changed. @throws Fault `invalid_input` for a stop pattern that is none */
function applyChanges(config: LoopConfig, changes: Omit<UpdateLoopRequest, "target">, now: Date): LoopConfig {
  if (changes.stopPattern !== undefined) compileStopPattern(changes.stopPattern);
  const { model, maxIterations, test, failureThreshold, ...plain } = changes;
  const { model: oldModel, maxIterations: oldLimit, ...rest } = config;
  const nextModel = model === undefined ? oldModel : (model ?? undefined);
  const nextLimit = maxIterations === undefined ? oldLimit : (maxIterations ?? undefined);
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(nextModel === undefined ? {} : { model: nextModel }),
    ...(nextLimit === undefined ? {} : { maxIterations: nextLimit }),
    ...(failureThreshold === undefined ? {} : withThreshold(config, failureThreshold)),
    ...(test === undefined ? {} : { strategy: withTest(config.strategy, test) }),
    updatedAt: now.toISOString(),
  };
}

/** Commands that end with something done in git; the loop must rest while that happens. */
export type DoneCommand = Exclude<Command, RecordedCommand>;

/** Is it one of them? */
export function isDone(command: Command): command is DoneCommand {
  return doneCommands.has(command.type);
}

const doneCommands = new Set<string>([
  "accept",
  "update-branch",
  "discard",
  "restore",
  "delete",
] satisfies DoneCommand["type"][]);

/** May the command be carried out? @throws Fault `illegal_transition` */
export function requireAllowed(view: LoopView, { type }: DoneCommand): void {
  const { status } = view.phase;
  if (isUnderWay(view)) throw refuse(view, type, "Stop it first.");
  if (type === "delete") return;
  const hasBranch = view.workspace !== null && view.workspace.kind !== "plain";
  if (type === "restore") {
    if (status !== "discarded") throw refuse(view, type, "Only a discarded loop can be brought back.");
    if (!hasBranch) throw refuse(view, type, "It had no branch.");
    return;
  }
  if (status === "discarded" || (status === "accepted" && type !== "accept")) {
    throw refuse(view, type, "Its work was dealt with already.");
  }
  if (type === "discard") return;
  if (!hasBranch) throw refuse(view, type, "It has no branch to merge.");
  if (type === "update-branch") return;
  if (status === "paused") throw refuse(view, type, "Stop it first, so that all its work is committed.");
  if (!isMergeable(view)) throw refuse(view, type, "It made no commits; discard it instead.");
}

function refuse(view: LoopView, type: string, hint: string): Fault {
  const command = type === "update-branch" ? "update its branch" : type;
  return new Fault("illegal_transition", { command, status: statusWord(view.phase.status), hint });
}
