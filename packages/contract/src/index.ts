/**
 * contract: the words every other room speaks.
 *
 * Owns: ids, loop, events, commands, faults, steps, the fold, and the ports the rooms meet at.
 * Does not own: a clock, randomness, or any I/O. Everything here is data or a pure function.
 */
export * from "./agent.ts";
export * from "./backend.ts";
export * from "./bundle.ts";
export * from "./capture.ts";
export * from "./command.ts";
export * from "./event.ts";
export * from "./fault.ts";
export * from "./first-line.ts";
export * from "./fold/blank.ts";
export * from "./fold/end-status.ts";
export * from "./fold/fold.ts";
export * from "./fold/view.ts";
export * from "./fold/wire.ts";
export * from "./git.ts";
export * from "./ids.ts";
export * from "./iteration.ts";
export * from "./links.ts";
export * from "./loop.ts";
export * from "./loop-import.ts";
export * from "./parse.ts";
export * from "./parse-json.ts";
export * from "./port/agent-backend.ts";
export * from "./port/captures.ts";
export * from "./port/clock.ts";
export * from "./port/conversations.ts";
export * from "./port/hub.ts";
export * from "./port/journal.ts";
export * from "./port/programs.ts";
export * from "./port/projects.ts";
export * from "./port/vaults.ts";
export * from "./port/work-items.ts";
export * from "./port/workspaces.ts";
export * from "./script.ts";
export * from "./settings.ts";
export * from "./soda/act.ts";
export * from "./soda/claims.ts";
export * from "./soda/orientation.ts";
export * from "./soda/report.ts";
export * from "./soda/settings.ts";
export * from "./soda/view.ts";
export * from "./step.ts";
export * from "./task/config.ts";
export * from "./task/detail.ts";
export * from "./task/event.ts";
export * from "./task/state.ts";
export * from "./task/vault.ts";
export * from "./task/view.ts";
export * from "./to-second.ts";
export * from "./totals.ts";
export * from "./turn-role.ts";
export * from "./usage.ts";
export * from "./work-board.ts";
export * from "./work-item.ts";
export * from "./work-item-words.ts";
