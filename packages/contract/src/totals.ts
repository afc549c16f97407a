import { z } from "zod";
import { Usage } from "./agent.ts";

/** What all loops did since a time. */
export const Totals = z.object({
  since: z.iso.datetime(),
  /** Loops that worked in that time. */
  loops: z.int().nonnegative(),
  /** Iterations that ended, and those under way. */
  iterations: z.int().nonnegative(),
  commits: z.int().nonnegative(),
  usage: Usage,
});
export type Totals = z.infer<typeof Totals>;
