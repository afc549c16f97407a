/**
 * store: the journal over SQLite.
 *
 * Owns: the database file, its schema, the one transaction in which events and view change, leases between processes,
 * and publishing what was stored. Does not own: what the events mean (contract's fold) or who may append what (loop).
 * The only room that knows SQL.
 */
export { type JournalOptions, openJournal } from "./journal.ts";
