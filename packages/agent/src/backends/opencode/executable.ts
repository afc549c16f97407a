import type { BackendHealth } from "@ralpher/contract";
import type { HealthMemory } from "../../programs/health-memory.ts";
import { Unusable } from "../../unusable.ts";

export const installHint = 'Install it with "npm install -g opencode-ai" and run "opencode auth login".';
const oldestMajor = 1;
const versionTimeoutMs = 20_000;

/** Where opencode's program is, and the environment it runs in. */
export interface Installation {
  /** Path or name; a name is looked up on the environment's PATH. */
  command: string;
  env: Record<string, string | undefined>;
}

/** The program's absolute path, or null when there is none. */
function findExecutable({ command, env }: Installation): string | null {
  return Bun.which(command, { PATH: env.PATH ?? "" });
}

/**
 * The program's absolute path.
 * @throws Unusable
 */
export function requireExecutable(installation: Installation): string {
  const path = findExecutable(installation);
  if (path === null) throw new Unusable({ reason: "missing", message: `opencode was not found. ${installHint}` });
  return path;
}

/** Is this version of opencode one whose server we can talk to? */
function isSupported(version: string): boolean {
  return Number.parseInt(version, 10) >= oldestMajor;
}

/** @throws Unusable */
export function requireSupported(version: string): void {
  if (isSupported(version)) return;
  throw new Unusable({ reason: "missing", message: `${tooOld(version)}. ${installHint}` });
}

const tooOld = (version: string) => `opencode ${version} is older than ${oldestMajor}.0`;

/** Look for opencode and ask for its version. Starts no server; takes about as long as the program needs to start, the first time. */
export async function checkInstallation(installation: Installation, remember: HealthMemory): Promise<BackendHealth> {
  const path = findExecutable(installation);
  if (path === null) return { state: "missing", detail: "opencode was not found", install: installHint };
  return await remember([path], () => checkVersion(path, installation));
}

async function checkVersion(path: string, installation: Installation): Promise<BackendHealth> {
  const version = await readVersion(path, installation.env);
  if (version === null) {
    return { state: "broken", detail: `"${path} --version" gives no version`, install: installHint };
  }
  if (!isSupported(version)) return { state: "unsupported", detail: tooOld(version), install: installHint };
  return { state: "ready", version, path };
}

async function readVersion(path: string, env: Installation["env"]): Promise<string | null> {
  try {
    const asked = Bun.spawn([path, "--version"], { env, stdin: "ignore", stderr: "ignore", timeout: versionTimeoutMs });
    const text = await new Response(asked.stdout).text();
    return (await asked.exited) === 0 ? (/\d+\.\d+\.\d+\S*/.exec(text)?.[0] ?? null) : null;
  } catch {
    // Found, but not a program this machine can run.
    return null;
  }
}
