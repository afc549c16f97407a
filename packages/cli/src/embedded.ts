import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What the single program carries besides its code (scripts/build-binary.ts); null when run from source. */
export const embedded: string | null = Bun.isStandaloneExecutable ? join(import.meta.dir, "embedded") : null;

/** What one types to run this very program. */
export const command = embedded === null ? "bin/ralpher" : "ralpher";

/**
 * A file for other programs to load: those cannot look into this one, so it is written to the folder first, under a
 * name with its content's hash.
 */
function unpack(embedded: string, name: string, folder: string): string {
  const content = readFileSync(join(embedded, name));
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
  const path = join(folder, `${hash}-${name}`);
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, content, { mode: 0o600 });
  renameSync(aside, path);
  return path;
}

/** The plugin that opencode loads to hold sessions to their allowlists; in a checkout the agent room finds its source. */
export function guardPlugin(dataDir: string): { guardPlugin?: () => string } {
  const root = embedded;
  return root === null ? {} : { guardPlugin: () => unpack(root, "guard-plugin.js", join(dataDir, "programs")) };
}
