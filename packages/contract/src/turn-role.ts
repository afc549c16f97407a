import { z } from "zod";

/** What an agent is there for in a loop whose iterations have several turns. */
export const TurnRole = z.enum(["orient", "executor"]);
export type TurnRole = z.infer<typeof TurnRole>;
