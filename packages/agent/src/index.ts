/**
 * agent: the agent runtimes that loops drive.
 *
 * Owns: the backends (opencode; an in-process one that plays scripts), sessions and turns with them, what their errors
 * mean, and that no process of theirs outlives its turn, its session or this program.
 * Does not own: when a turn is run, tried again or recorded (loop), the scripted model server (model), or the words of
 * the port (contract).
 */
export { createOpencodeBackend, type OpencodeOptions } from "./backends/opencode/backend.ts";
export { type OfflineOptions, offlineOpencodeEnvironment } from "./backends/opencode/offline-environment.ts";
export { createScriptedBackend, type ScriptedOptions } from "./backends/scripted/backend.ts";
export type { Play, ScriptedTurn } from "./backends/scripted/play.ts";
export { type Guarded, type GuardedOptions, startGuarded } from "./process/guard.ts";
export { endLeftovers } from "./process/leftovers.ts";
