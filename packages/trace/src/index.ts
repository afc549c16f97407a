/**
 * trace: work items in Trace's own storage, shared with the original `trc`.
 *
 * Owns: `$TRACE_HOME/trace.db` and its schema, Trace's lock, which project a folder belongs to, ids, and
 * `.trace/issues.jsonl` byte for byte. Does not own: what a loop does with items, or words on a terminal (cli).
 */
export { traceHome } from "./home.ts";
export { openWorkItems, type WorkItemsOptions } from "./work-items.ts";
