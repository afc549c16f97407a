import {
  type CreateLoopRequest,
  type Journal,
  LoopSettings,
  parse,
  type Settings,
  SettingsChanges,
} from "@ralpher/contract";

/** Change some of the settings; what is absent stays. */
export async function changeSettings(journal: Journal, changes: SettingsChanges): Promise<Settings> {
  const { backend, models } = parse(SettingsChanges, changes, "settings");
  const old = await journal.settings();
  const settings = { backend: backend ?? old.backend, models: models ?? old.models };
  await journal.saveSettings(settings);
  return settings;
}

/** A new loop's settings: what the request leaves open is as the settings of this data root say. */
export async function settingsOf(
  journal: Journal,
  request: Omit<CreateLoopRequest, "start" | "name"> & { name: string },
): Promise<LoopSettings> {
  const defaults = await journal.settings();
  const type = request.backend.type ?? defaults.backend;
  const model = request.model ?? defaults.models[type];
  return parse(
    LoopSettings,
    { ...request, backend: { ...request.backend, type }, ...(model === undefined ? {} : { model }) },
    "loop",
  );
}
