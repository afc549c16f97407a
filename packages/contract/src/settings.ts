import { z } from "zod";
import { BackendType, ModelRef } from "./agent.ts";

/** What new loops get when nobody says otherwise. Kept on the data root, for all surfaces. */
export const Settings = z.strictObject({
  backend: BackendType.default("opencode"),
  /** For each backend; absent: the agent's own default. */
  models: z.partialRecord(BackendType, ModelRef).default({}),
});
export type Settings = z.infer<typeof Settings>;

/** What PATCH /api/settings takes: what is absent stays; `models` takes the place of all there were. */
export const SettingsChanges = z
  .strictObject({ backend: BackendType, models: z.partialRecord(BackendType, ModelRef) })
  .partial();
export type SettingsChanges = z.infer<typeof SettingsChanges>;
