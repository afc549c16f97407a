import { kindOfPermission, permissionOf } from "../../programs/opencode/tool-kinds.ts";
import type { WantedCall } from "../../tools/judge.ts";

const patchedFile = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** What a call of one of opencode's tools, with the input as the model gave it, wants to do. */
export function readToolCall(name: string, input: unknown): WantedCall {
  const { filePath, path, workdir, command, patchText } = (input ?? {}) as Record<string, unknown>;
  const paths = [filePath, path, workdir].filter((value) => typeof value === "string");
  if (typeof patchText === "string")
    for (const [, file = ""] of patchText.matchAll(patchedFile)) paths.push(file.trim());
  return {
    kind: kindOfPermission[permissionOf(name)] ?? null,
    name,
    paths,
    ...(typeof command === "string" && { command }),
  };
}
