/**
 * vault: a folder of Markdown files by which people and a task loop tell each other things (seed 003).
 *
 * Owns: what each file of a vault looks like and means, reading them while humans write them, changing them so that no
 * change of a human's is lost, telling that something changed, and notes to humans.
 * Does not own: when any of that happens, what a step's check says, what an agent is told, git (git), or how a program is
 * run and ended (agent).
 */
export { createVaults, type VaultsOptions } from "./vaults.ts";
