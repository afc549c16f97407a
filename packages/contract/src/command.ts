import { z } from "zod";
import { HandleUncommitted } from "./git.ts";
import type { LoopId } from "./ids.ts";
import { LoopSettings } from "./loop.ts";

/** Start at once, and how to treat uncommitted changes in the user's checkout. */
export const StartRequest = z.object({ handleUncommitted: HandleUncommitted.optional() });
export type StartRequest = z.infer<typeof StartRequest>;

/** What POST /api/loops takes. `name` is taken from the prompt when it is missing. */
export const CreateLoopRequest = LoopSettings.extend({
  name: LoopSettings.shape.name.optional(),
  start: StartRequest.optional(),
});
export type CreateLoopRequest = z.infer<typeof CreateLoopRequest>;

/** What PATCH /api/loops/:id takes: any of the settings; what is absent stays. */
export const UpdateLoopRequest = z
  .object({
    name: LoopSettings.shape.name,
    prompt: LoopSettings.shape.prompt,
    model: LoopSettings.shape.model.nullable(),
    maxIterations: LoopSettings.shape.maxIterations.nullable(),
    stopPattern: LoopSettings.shape.stopPattern.removeDefault(),
    failureThreshold: LoopSettings.shape.failureThreshold.removeDefault(),
    idleTimeoutSeconds: LoopSettings.shape.idleTimeoutSeconds.removeDefault(),
  })
  .partial()
  .strict();
export type UpdateLoopRequest = z.infer<typeof UpdateLoopRequest>;

/** Everything that can be asked of a loop. */
export type Command =
  | { type: "update"; loopId: LoopId; changes: UpdateLoopRequest }
  | { type: "start"; loopId: LoopId; handleUncommitted?: HandleUncommitted | undefined }
  /** `now` lets go of the turn under way; else the loop pauses when its iteration ends. */
  | { type: "pause"; loopId: LoopId; now?: boolean | undefined }
  | { type: "resume"; loopId: LoopId }
  | { type: "stop"; loopId: LoopId; reason?: string | undefined }
  | { type: "accept"; loopId: LoopId }
  | { type: "discard"; loopId: LoopId }
  | { type: "delete"; loopId: LoopId };
