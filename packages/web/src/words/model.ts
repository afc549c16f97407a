import type { BackendHealth, BackendReport, BackendType, ModelRef } from "@ralpher/contract";

/** `provider/model`, as people write it. */
export function modelText({ providerID, modelID }: ModelRef): string {
  return `${providerID}/${modelID}`;
}

/** Read `provider/model`; the model's own name may have slashes. Null when there is no provider. */
export function readModel(text: string): ModelRef | null {
  const trimmed = text.trim();
  const slash = trimmed.indexOf("/");
  if (slash < 1 || slash === trimmed.length - 1) return null;
  return { providerID: trimmed.slice(0, slash), modelID: trimmed.slice(slash + 1) };
}

/** The agent runtimes by the names people know them by, the usual first. */
export const backendWords: Record<BackendType, { name: string; is: string }> = {
  opencode: { name: "opencode", is: "Any provider and model" },
  claude: { name: "Claude Code", is: "Anthropic's own agent" },
  acp: { name: "ACP agent", is: "Whatever speaks the Agent Client Protocol" },
  scripted: { name: "Scripted", is: "Plays a script; for demos and tests" },
};

export const backendOrder = Object.keys(backendWords) as BackendType[];

/** Whether an agent can be used, in a few words. */
export function healthWords(health: BackendHealth | undefined): string {
  if (health === undefined) return "";
  if (health.state === "ready") return health.version;
  return { missing: "not installed", unsupported: "this version does not do", broken: "does not work" }[health.state];
}

/** The agent that is meant where nobody chose: the usual one; where that cannot be used, the first that can. */
export function usableOf(usual: BackendType, reports: BackendReport[] | null): BackendType {
  const isReady = (type: BackendType) =>
    reports?.some((report) => report.type === type && report.health.state === "ready") ?? false;
  if (reports === null || isReady(usual)) return usual;
  // One that plays a script is for trials only.
  return backendOrder.find((type) => type !== "scripted" && isReady(type)) ?? usual;
}
