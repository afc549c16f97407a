/**
 * store: the journal over SQLite.
 *
 * Owns: the database file, its schema, the one transaction in which events and view change, leases between processes,
 * and publishing what was stored. Does not own: what the events mean (contract's fold) or who may append what (loop).
 * All SQL of the journal is here; work items have their own in trace.
 */
export { type JournalOptions, openJournal } from "./journal.ts";
