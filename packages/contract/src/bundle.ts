import { z } from "zod";
import { DurableEvent } from "./event.ts";
import { Loop } from "./loop.ts";

/**
 * A line of a loop's bundle, its whole history for another machine: JSON Lines, the head first, then the events in
 * order, then the captured conversations.
 */
export const BundleLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ralpher-loop"), version: z.literal(1), loop: Loop }),
  z.object({ type: z.literal("event"), event: DurableEvent }),
  /** One file of captures, a piece of it at a time, in order; `name` has no folder. */
  z.object({ type: z.literal("capture"), name: z.string().regex(/^[\w-][\w.-]*\.jsonl$/), text: z.string() }),
  /** The last line: a bundle without it was cut off. */
  z.object({ type: z.literal("end"), events: z.int().nonnegative() }),
]);
export type BundleLine = z.infer<typeof BundleLine>;
