import type { BackendType, CreateLoopRequest, LoopConfig, StartRequest, StrategyType } from "@ralpher/contract";
import { modelText, readModel } from "../../words/model.ts";

/** What is typed into the form. Text as it is typed; empty means: as the settings or the defaults say. */
export interface Draft {
  directory: string;
  strategy: StrategyType;
  prompt: string;
  /** Of SODA: the spec's path, how tests are run, the branch it begins from. */
  spec: string;
  test: string;
  base: string;
  /** Of a task: its file in the vault, which is the folder. */
  file: string;
  backend: BackendType | "";
  model: string;
  name: string;
  maxIterations: string;
  stopPattern: string;
  failureThreshold: string;
  idleTimeoutSeconds: string;
  git: boolean;
  isolation: "worktree" | "checkout";
  branchPrefix: string;
  commitPrefix: string;
  mode: "spawn" | "connect";
  hostname: string;
  port: string;
  command: string;
  script: string;
}

export const emptyDraft: Draft = {
  directory: "",
  strategy: "ralph",
  prompt: "",
  spec: "",
  test: "",
  base: "",
  file: "",
  backend: "",
  model: "",
  name: "",
  maxIterations: "",
  stopPattern: "",
  failureThreshold: "",
  idleTimeoutSeconds: "",
  git: true,
  isolation: "worktree",
  branchPrefix: "",
  commitPrefix: "",
  mode: "spawn",
  hostname: "",
  port: "",
  command: "",
  script: "",
};

/** What is wrong with a field, by the path the API knows it by. */
export type Wrongs = Record<string, string>;

/** Fields that are folded away by default, by the API's paths. */
const advancedPaths =
  /^(name|maxIterations|stopPattern|failureThreshold|idleTimeoutSeconds|git|backend\.(mode|hostname|port))/;

export function isAdvanced(path: string): boolean {
  return advancedPaths.test(path);
}

/** Make of a draft what the API takes, or say what is wrong with it. The server checks the rest. */
export function requestOf(
  draft: Draft,
  start?: StartRequest,
): { request: CreateLoopRequest; wrongs: null } | { request: null; wrongs: Wrongs } {
  const wrongs: Wrongs = {};
  const isSoda = draft.strategy === "soda";
  const isTask = draft.strategy === "task";
  const isRalph = draft.strategy === "ralph";
  if (draft.directory.trim() === "") {
    wrongs.directory = isTask ? "Which vault is the task in?" : "Which folder is it to work on?";
  }
  if (isTask && draft.file.trim() === "") wrongs["strategy.file"] = "Which task is it to work off?";
  if (isRalph && draft.prompt.trim() === "") wrongs.prompt = "What is it to do?";
  if (draft.backend === "scripted" && draft.script.trim() === "")
    wrongs["backend.script"] = "Which script is it to play?";
  const model = readModel(draft.model);
  if (draft.model.trim() !== "" && model === null) {
    wrongs.model = "A model is written provider/model, such as anthropic/claude-sonnet-4-5.";
  }
  const whole = (path: string, text: string): number | undefined => {
    if (text.trim() === "") return undefined;
    const n = Number(text);
    if (Number.isInteger(n) && n > 0) return n;
    wrongs[path] = "A whole number, 1 or more.";
    return undefined;
  };
  const given = <K extends string, V>(key: K, value: V | undefined) =>
    (value === undefined || value === "" ? {} : { [key]: value }) as { [key in K]?: V & {} };
  const { command } = draft;
  const failureThreshold = given("failureThreshold", whole("failureThreshold", draft.failureThreshold));
  const request = {
    directory: cleanPath(draft.directory),
    ...(isSoda
      ? {
          strategy: {
            type: "soda",
            ...given("spec", draft.spec.trim()),
            ...given("test", draft.test.trim()),
            ...given("base", draft.base.trim()),
          },
        }
      : isTask
        ? { strategy: { type: "task", file: draft.file.trim(), ...failureThreshold } }
        : { prompt: draft.prompt }),
    ...given("name", draft.name.trim()),
    ...given("model", model ?? undefined),
    ...given("maxIterations", whole("maxIterations", draft.maxIterations)),
    ...given("stopPattern", isRalph ? draft.stopPattern : ""),
    ...(isTask ? {} : failureThreshold),
    ...given("idleTimeoutSeconds", whole("idleTimeoutSeconds", draft.idleTimeoutSeconds)),
    backend: {
      ...given("type", draft.backend),
      mode: draft.mode,
      ...(draft.mode === "connect"
        ? { ...given("hostname", draft.hostname.trim()), ...given("port", whole("backend.port", draft.port)) }
        : {}),
      ...(draft.backend === "acp" && command.trim() !== "" ? { command: splitCommand(command) } : {}),
      ...(draft.backend === "scripted" ? given("script", draft.script.trim()) : {}),
    },
    // SODA's branches are its own, in a tree of its own; a task works in its vault.
    git: isRalph
      ? {
          enabled: draft.git,
          isolation: draft.isolation,
          ...given("branchPrefix", draft.branchPrefix),
          ...given("commitPrefix", draft.commitPrefix),
        }
      : given("commitPrefix", draft.commitPrefix),
    ...given("start", start),
  };
  // What is absent gets its default from the API's schema.
  return Object.keys(wrongs).length > 0
    ? { request: null, wrongs }
    : { request: request as CreateLoopRequest, wrongs: null };
}

/** A path without the slash that completion leaves at its end. */
export function cleanPath(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > 1 ? trimmed.replace(/\/+$/, "") : trimmed;
}

/** Cut a command line into its words; quotes hold words together. */
export function splitCommand(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

/** The draft that makes the same loop again. Its name is left open: two of one name are hard to tell apart. */
export function draftOf(config: LoopConfig): Draft {
  const { backend, git, strategy } = config;
  const soda = strategy.type === "soda" ? strategy : null;
  return {
    ...emptyDraft,
    directory: config.directory,
    strategy: strategy.type,
    prompt: strategy.type === "ralph" ? config.prompt : "",
    spec: soda?.spec ?? "",
    test: soda?.test ?? "",
    base: soda?.base ?? "",
    backend: backend.type,
    model: config.model === undefined ? "" : modelText(config.model),
    maxIterations: config.maxIterations === undefined ? "" : String(config.maxIterations),
    stopPattern: config.stopPattern,
    failureThreshold: String(strategy.type === "task" ? (strategy.failureThreshold ?? "") : config.failureThreshold),
    idleTimeoutSeconds: String(config.idleTimeoutSeconds),
    git: git.enabled,
    isolation: git.isolation,
    branchPrefix: git.branchPrefix,
    commitPrefix: git.commitPrefix,
    mode: backend.mode,
    hostname: backend.hostname ?? "",
    port: backend.port === undefined ? "" : String(backend.port),
    command: (backend.command ?? []).map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" "),
    script: backend.script ?? "",
  };
}

/** What the address says of a draft: the task of a vault. Null when it says nothing. */
export function draftIn(query: URLSearchParams): Partial<Draft> | null {
  const [directory, file] = [query.get("vault"), query.get("file")];
  return directory === null ? null : { strategy: "task", directory, file: file ?? "" };
}

/** Read a draft that was kept; whatever does not fit any more is as in an empty one. */
export function parseDraft(text: string | null): Draft {
  try {
    const kept: unknown = JSON.parse(text ?? "");
    if (typeof kept !== "object" || kept === null) return emptyDraft;
    const fitting = Object.entries(kept).filter(
      ([key, value]) => key in emptyDraft && typeof value === typeof emptyDraft[key as keyof Draft],
    );
    return { ...emptyDraft, ...Object.fromEntries(fitting) };
  } catch {
    return emptyDraft;
  }
}
