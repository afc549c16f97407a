import {
  type CreateLoopRequest,
  GitConfig,
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
  request: Omit<CreateLoopRequest, "start" | "another" | "name" | "prompt"> & { name: string; prompt: string },
): Promise<LoopSettings> {
  const defaults = await journal.settings();
  const type = request.backend.type ?? defaults.backend;
  const model = request.model ?? defaults.models[type];
  return parse(
    LoopSettings,
    {
      ...withTaskWords(withSodaWords(request)),
      backend: { ...request.backend, type },
      ...(model === undefined ? {} : { model }),
    },
    "loop",
  );
}

/** A task is worked on in its vault as it is; its commits are of steps. */
function withTaskWords<R extends Pick<CreateLoopRequest, "strategy" | "git">>(request: R): R {
  if (request.strategy.type !== "task") return request;
  const { commitPrefix } = request.git;
  const isPlain = commitPrefix === GitConfig.parse({}).commitPrefix;
  return { ...request, git: { ...request.git, enabled: false, commitPrefix: isPlain ? "[Task]" : commitPrefix } };
}

const sodaIterations = 20;

/** What SODA names its branches and commits, and how long it goes on, where nobody said otherwise (L-LIM-1). */
function withSodaWords<R extends Pick<CreateLoopRequest, "strategy" | "git" | "maxIterations">>(request: R): R {
  if (request.strategy.type !== "soda") return request;
  const plain = GitConfig.parse({});
  const { branchPrefix, commitPrefix } = request.git;
  return {
    ...request,
    maxIterations: request.maxIterations ?? sodaIterations,
    git: {
      ...request.git,
      branchPrefix: branchPrefix === plain.branchPrefix ? "soda/" : branchPrefix,
      commitPrefix: commitPrefix === plain.commitPrefix ? "[SODA]" : commitPrefix,
    },
  };
}
