/** All that projects.ts loads when it is first needed. */
export { takeLock } from "./lock.ts";
export { makeHome } from "./make-home.ts";
export { learn, readMemory, writeMemory } from "./memory.ts";
export { linkOutputs } from "./outputs.ts";
export { findId, requireId } from "./soda-id.ts";
export { readSpec, specStamp } from "./spec.ts";
export { writeSummary } from "./summaries.ts";
export { checkTestCommand, runTests } from "./tests/run-tests.ts";
export { survey } from "./tree/survey.ts";
