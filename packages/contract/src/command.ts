import { z } from "zod";
import { BackendType } from "./agent.ts";
import { HandleUncommitted, type UpdateMethod } from "./git.ts";
import type { LoopId } from "./ids.ts";
import { BackendConfig, LoopSettings } from "./loop.ts";
import { SodaSettings } from "./soda/settings.ts";
import { HandOffChoice } from "./task/vault.ts";

/** Start at once, and how to treat uncommitted changes in the user's checkout. */
export const StartRequest = z.object({
  handleUncommitted: HandleUncommitted.optional(),
  /** Tasks only: count its failures from zero. */
  resetFailures: z.boolean().optional(),
});
export type StartRequest = z.infer<typeof StartRequest>;

/** What POST /api/loops takes. `name` is taken from the prompt, `backend.type` and `model` from the settings. */
export const CreateLoopRequest = LoopSettings.extend({
  name: LoopSettings.shape.name.optional(),
  /** Needed for the strategy `ralph` alone: `soda` has its spec, `task` its file. */
  prompt: LoopSettings.shape.prompt.optional(),
  backend: BackendConfig.extend({ type: BackendType.optional() }).prefault({}),
  start: StartRequest.optional(),
  /** SODA only: make it though a run of the same spec in the same folder is not finished. */
  another: z.boolean().optional(),
});
export type CreateLoopRequest = z.infer<typeof CreateLoopRequest>;
/** The same before defaults are filled in. */
export type CreateLoopInput = z.input<typeof CreateLoopRequest>;

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
    /** SODA only: how the tests are run from the next baseline on; null: as the project's manifest says. */
    test: SodaSettings.shape.test.unwrap().nullable(),
    /** The branch it merges into: one that is there. The loop must not be under way. */
    target: z
      .string()
      .max(250)
      .regex(/^[^\s\p{Cc}~^:?*[\\-][^\s\p{Cc}~^:?*[\\]*$/u, "no name of a branch"),
  })
  .partial()
  .strict();
export type UpdateLoopRequest = z.infer<typeof UpdateLoopRequest>;

/** What POST /api/loops/:id/choose takes. */
export const ChooseRequest = z.strictObject({ choice: HandOffChoice });
export type ChooseRequest = z.infer<typeof ChooseRequest>;

/** What POST /api/loops/:id/say takes. */
export const SayRequest = z.strictObject({
  text: z.string().trim().min(1, "there is nothing to say").max(100_000, "longer than a hundred thousand characters"),
  now: z.boolean().optional(),
});
export type SayRequest = z.infer<typeof SayRequest>;

/** Everything that can be asked of a loop. */
export type Command =
  | { type: "update"; loopId: LoopId; changes: UpdateLoopRequest }
  | {
      type: "start";
      loopId: LoopId;
      handleUncommitted?: HandleUncommitted | undefined;
      resetFailures?: boolean | undefined;
    }
  /** Answer what a task loop asked by a file in its vault; `path`: of the file it was chosen in. */
  | { type: "choose"; loopId: LoopId; choice: HandOffChoice; path?: string | undefined }
  /** `now` lets go of the turn under way; else the loop pauses when its iteration ends. */
  | { type: "pause"; loopId: LoopId; now?: boolean | undefined }
  | { type: "resume"; loopId: LoopId }
  | { type: "stop"; loopId: LoopId; reason?: string | undefined }
  /** Words from a human for the next turn; `now` ends the turn under way, so that the next one begins with them. */
  | { type: "say"; loopId: LoopId; text: string; now?: boolean | undefined }
  /** Take back what was said and no turn has begun with. */
  | { type: "unsay"; loopId: LoopId; seq: number }
  | { type: "accept"; loopId: LoopId; squash?: boolean | undefined }
  /** Bring the branch up to date with the one it began from. */
  | { type: "update-branch"; loopId: LoopId; method: UpdateMethod }
  | { type: "discard"; loopId: LoopId }
  /** Undo a discard. */
  | { type: "restore"; loopId: LoopId }
  | { type: "delete"; loopId: LoopId };
