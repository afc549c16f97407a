import { Refusal } from "../../feed/refusal.ts";
import type { Wrongs } from "./draft.ts";

/** Faults that are about the folder, whatever field the person looks at. */
const aboutFolder = new Set([
  "directory_missing",
  "not_a_repository",
  "bare_repository",
  "no_commits",
  "detached_head",
  "vault_unusable",
  "config_invalid",
]);
const aboutField: Partial<Record<string, string>> = {
  spec_unusable: "strategy.spec",
  test_command_unusable: "strategy.test",
  branch_missing: "strategy.base",
  task_file_unusable: "strategy.file",
  task_taken: "strategy.file",
};
const aboutAgent = new Set(["unknown_backend", "agent_missing"]);

/** Which fields a refusal is about. The path "" is the form as a whole. */
export function wrongsOf(error: unknown): Wrongs {
  if (!(error instanceof Refusal)) return { "": error instanceof Error ? error.message : String(error) };
  if (error.code === "invalid_input" && Array.isArray(error.data.issues)) {
    const wrongs: Wrongs = {};
    for (const issue of error.data.issues as { path?: unknown; message?: unknown }[]) {
      const path = typeof issue.path === "string" && issue.path !== "(root)" ? issue.path : "";
      wrongs[path.startsWith("model.") ? "model" : path] ??= sentence(String(issue.message));
    }
    return wrongs;
  }
  if (aboutFolder.has(error.code)) return { directory: error.message };
  const field = aboutField[error.code];
  if (field !== undefined) return { [field]: error.message };
  if (aboutAgent.has(error.code)) return { "backend.type": error.message };
  return { "": error.message };
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
