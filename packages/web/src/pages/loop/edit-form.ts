import type { LoopConfig } from "@ralpher/contract";
import { modelText, readModel } from "../../words/model.ts";

/** What the edit dialog's fields hold: text, as it was typed. */
export interface EditForm {
  name: string;
  prompt: string;
  maxIterations: string;
  model: string;
  failureThreshold: string;
  idleTimeoutSeconds: string;
  stopPattern: string;
}

/** A loop's settings as the fields show them. */
export function formOf(config: LoopConfig): EditForm {
  const { name, prompt, maxIterations, model, idleTimeoutSeconds, stopPattern, strategy } = config;
  // A task's vault says how many, where nobody said it by hand.
  const failureThreshold = strategy.type === "task" ? (strategy.failureThreshold ?? "") : config.failureThreshold;
  return {
    name,
    prompt,
    maxIterations: maxIterations === undefined ? "" : String(maxIterations),
    model: model === undefined ? "" : modelText(model),
    failureThreshold: String(failureThreshold),
    idleTimeoutSeconds: String(idleTimeoutSeconds),
    stopPattern,
  };
}

const wholeNumber = /^[1-9]\d{0,8}$/;

/** What to send: only fields that changed, empty ones as null where that means "none"; and what cannot be sent. */
export function changesOf(
  before: EditForm,
  now: EditForm,
): { changes: Record<string, unknown>; problems: Partial<Record<keyof EditForm, string>> } {
  const changes: Record<string, unknown> = {};
  const problems: Partial<Record<keyof EditForm, string>> = {};
  const changed = (name: keyof EditForm) => now[name].trim() !== before[name].trim();
  for (const name of ["name", "prompt", "stopPattern"] as const) {
    if (!changed(name)) continue;
    if (now[name].trim() === "") problems[name] = "This must not be empty.";
    else changes[name] = name === "prompt" ? now[name] : now[name].trim();
  }
  for (const name of ["maxIterations", "failureThreshold"] as const) {
    const text = now[name].trim();
    if (!changed(name)) continue;
    if (text === "" && name === "maxIterations") changes[name] = null;
    else if (wholeNumber.test(text)) changes[name] = Number(text);
    else problems[name] = "A whole number, 1 or more.";
  }
  if (changed("idleTimeoutSeconds")) {
    const seconds = Number(now.idleTimeoutSeconds.trim() || "x");
    if (seconds > 0 && Number.isFinite(seconds)) changes.idleTimeoutSeconds = seconds;
    else problems.idleTimeoutSeconds = "A number of seconds, more than 0.";
  }
  if (changed("model")) {
    const text = now.model.trim();
    const model = text === "" ? null : readModel(text);
    if (text !== "" && model === null)
      problems.model = "The provider, a slash, and the model: anthropic/claude-sonnet.";
    else changes.model = model;
  }
  return { changes, problems };
}
