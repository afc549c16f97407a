import { z } from "zod";
import { LoopId, Timestamp } from "./ids.ts";

/** An event's schema: what all events have, and what this type has. */
export const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), loopId: LoopId, at: Timestamp, ...shape });

export const iteration = z.int().positive();
