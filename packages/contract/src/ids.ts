import { z } from "zod";

/** A loop's identifier: a UUID, for ever. */
export const LoopId = z.uuid().brand<"LoopId">();
export type LoopId = z.infer<typeof LoopId>;

/** A time on the wire and in the journal: UTC, ISO 8601 with milliseconds, as `Date.toISOString` writes it. */
export const Timestamp = z.iso.datetime();
export type Timestamp = z.infer<typeof Timestamp>;

/** The short form of an id for terminals and branch names: the first eight hex digits. */
export function shortId(id: LoopId): string {
  return id.slice(0, 8);
}
