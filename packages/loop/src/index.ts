/**
 * loop: decides and drives.
 *
 * Owns: which commands a loop takes when (decide), what it does next (strategies and stop conditions), performing those
 * steps, one execution per loop, and recovery. Does not own: git, agents, or storage; it gets them as ports.
 */
export { createHub, type HubParts, type RunningHub } from "./hub.ts";
export { type SenseParts, senseLoop } from "./sense.ts";
export { compileStopPattern } from "./stop-pattern.ts";
export { systemClock } from "./system-clock.ts";
export type { VaultNote, VaultWatchOptions } from "./vaults/vault-watch.ts";
