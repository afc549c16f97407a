import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The opencode that a checkout of Ralpher pins for demo and tests, else the user's own, else null. */
export function findDemoOpencode(): string | null {
  return findPinned() ?? Bun.which("opencode");
}

function findPinned(): string | null {
  const root = join(import.meta.dir, "../../../..");
  try {
    const path = join(dirname(Bun.resolveSync("opencode-ai/package.json", root)), "bin", "opencode.exe");
    return existsSync(path) ? path : null;
  } catch {
    return null; // not a checkout
  }
}
