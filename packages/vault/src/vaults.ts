import type { RunProgram, Vault, Vaults } from "@ralpher/contract";
import { runCheck } from "./check/run-check.ts";
import { readConfig } from "./config/read-config.ts";
import { readReinjection, removeReinjection, writeReinjection } from "./control/reinjection.ts";
import { readStopHook, removeStopHook, writeStopHook } from "./control/stop-hook.ts";
import { closeHandOff, readHandOff, writeHandOff } from "./hand-off/hand-offs.ts";
import { findVault, initVault, isInGit, requireVault } from "./init.ts";
import { writeLog } from "./log.ts";
import { createNotify } from "./notify/create-notify.ts";
import { writeReport } from "./report.ts";
import { pruneHistory } from "./state/history.ts";
import { dropState, historyOf, moveToHistory, readState, writeState } from "./state/state-file.ts";
import { listOpenTasks, listTasks } from "./task/list.ts";
import { moveTask } from "./task/move-task.ts";
import { findNamesakes, findTask } from "./task/place.ts";
import { readTask, readVaultText, requireTaskFile } from "./task/read-task.ts";
import { resolveTask } from "./task/resolve-task.ts";
import { tickStep } from "./task/tick.ts";
import { fromRoot } from "./vault-path.ts";
import { isWatched, lockWatch } from "./watch/watch-lock.ts";
import { watchFolders } from "./watch/watch-vault.ts";
import { watchedFolders } from "./watch/watched-folders.ts";

export interface VaultsOptions {
  /** Blots out secrets in what programs print: the output of checks goes into prompts. */
  runProgram: RunProgram;
  /** This Ralpher's: state files of other version lines are refused. */
  version: string;
  now?: (() => Date) | undefined;
}

/** The Vaults port. Creating it reads and makes nothing. */
export function createVaults(options: VaultsOptions): Vaults {
  return {
    init: initVault,
    find: findVault,
    open: async (directory) => openVault(await requireVault(directory), options),
  };
}

function openVault(root: string, { runProgram, version, now = () => new Date() }: VaultsOptions): Vault {
  const states = { root, version };
  return {
    root,
    version,
    readConfig: () => readConfig(root),
    resolveTask: (text, from) => resolveTask(root, text, from),
    list: (config) => listTasks(root, config),
    listOpen: (config) => listOpenTasks(root, config),
    findTask: (config, file, id, options) => findTask(root, config, file, { id, ...options }),
    namesakes: (config, file, id) => findNamesakes(root, config, file, id),
    readTask: (path) => readTask(root, fromRoot(path)),
    tick: async (path, step) => tickStep(await requireTaskFile(root, fromRoot(path)), fromRoot(path), step),
    moveTask: (config, path, to) => moveTask(root, config, path, to),
    readText: (path) => readVaultText(root, path),
    readStopHook: (config) => readStopHook(root, config),
    writeStopHook: (config, reason) => writeStopHook(root, config, reason, now()),
    removeStopHook: (config) => removeStopHook(root, config),
    readReinjection: (config) => readReinjection(root, config),
    removeReinjection: (config, sha) => removeReinjection(root, config, sha),
    writeReinjection: (config, text, { priority = "normal" } = {}) =>
      writeReinjection(root, config, { text, priority, now: now() }),
    readState: (path) => readState(states, path),
    writeState: (path, state) => writeState(states, path, state),
    dropState: (path, loopId) => dropState(states, path, loopId),
    async archiveState(config, path, state, at) {
      const archived = await moveToHistory(states, path, state, at);
      await pruneHistory(root, historyOf(path), config.state_retention_days, at);
      return archived;
    },
    writeHandOff: (config, handOff) => writeHandOff(root, config, handOff),
    readHandOff: (path) => readHandOff(root, path),
    closeHandOff: (path, outcome) => closeHandOff(root, path, outcome, now()),
    writeReport: (config, report) => writeReport(root, config, report),
    log: (config, level, message, at) => writeLog(root, config, { level, message, now: at }),
    notify: createNotify(root, runProgram),
    runCheck: (command, limits) => runCheck(root, runProgram, command, limits),
    lockWatch: () => lockWatch(root),
    isWatched: () => isWatched(root),
    isRepository: () => isInGit(root),
    watch: (config, onChange) => watchFolders(watchedFolders(root, config), onChange),
  };
}
