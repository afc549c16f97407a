import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { SessionRequest } from "@ralpher/contract";
import { refusalOf } from "../../tools/judge.ts";
import type { WriteRequest } from "./messages.ts";

/**
 * Write a file for an agent that asks for it, as far as it may. Returns why not, in a sentence, or null when it was
 * written. At once, for opencode writes the file by itself too, and may go on to change it: ours must not come after.
 */
export function writeFile({ tools, directory }: SessionRequest, { path, content }: WriteRequest): string | null {
  const refusal = refusalOf(tools, directory, { kind: "edit", name: "fs/write_text_file", paths: [path] });
  if (refusal !== null) return refusal;
  const file = resolve(directory, path);
  try {
    if (contentOf(file) === content) return null;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
