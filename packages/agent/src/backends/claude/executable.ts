import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { BackendHealth } from "@ralpher/contract";
import type { HealthMemory } from "../../programs/health-memory.ts";
import { Unusable } from "../../unusable.ts";

export const installHint =
  'Install it with "npm install -g @anthropic-ai/claude-code" and run "claude" once to sign in.';
const oldest = { major: 2, minor: 1 };
const versionTimeoutMs = 20_000;

/** Where Claude Code's program is, and the environment it runs in. */
export interface Installation {
  /** Path or name; a name is looked up on the environment's PATH. Absent: the one that comes with the SDK, else `claude`. */
  command?: string | undefined;
  env: Record<string, string | undefined>;
}

/** The program's absolute path, or null when there is none. */
function findExecutable({ command, env }: Installation): string | null {
  const which = (name: string) => Bun.which(name, { PATH: env.PATH ?? "" });
  return command === undefined ? (findBundled() ?? which("claude")) : which(command);
}

/** The program in the SDK's package for this platform; package managers may leave it out, and a compiled program has none. */
function findBundled(): string | null {
  const sdk = "@anthropic-ai/claude-agent-sdk";
  const { platform, arch } = process;
  const variants = platform === "linux" ? [`${platform}-${arch}`, `${platform}-${arch}-musl`] : [`${platform}-${arch}`];
  for (const variant of variants) {
    try {
      const home = dirname(Bun.resolveSync(sdk, import.meta.dir));
      const path = Bun.resolveSync(`${sdk}-${variant}/claude${platform === "win32" ? ".exe" : ""}`, home);
      if (existsSync(path)) return path;
    } catch {
      // Not installed for this one.
    }
  }
  return null;
}

/**
 * The program's absolute path.
 * @throws Unusable
 */
export function requireExecutable(installation: Installation): string {
  const path = findExecutable(installation);
  if (path === null) throw new Unusable({ reason: "missing", message: `Claude Code was not found. ${installHint}` });
  return path;
}

/** Look for Claude Code and ask for its version. Takes about as long as the program needs to start, the first time. */
export async function checkInstallation(installation: Installation, remember: HealthMemory): Promise<BackendHealth> {
  const path = findExecutable(installation);
  if (path === null) return { state: "missing", detail: "Claude Code was not found", install: installHint };
  return await remember([path], () => checkVersion(path, installation));
}

async function checkVersion(path: string, installation: Installation): Promise<BackendHealth> {
  const version = await readVersion(path, installation.env);
  if (version === null) {
    return { state: "broken", detail: `"${path} --version" gives no version of Claude Code`, install: installHint };
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor)) {
    const detail = `Claude Code ${version} is older than ${oldest.major}.${oldest.minor}`;
    return { state: "unsupported", detail, install: installHint };
  }
  return { state: "ready", version, path };
}

/** Claude Code's own words are `2.1.330 (Claude Code)`: another program's version says nothing. */
async function readVersion(path: string, env: Installation["env"]): Promise<string | null> {
  try {
    const asked = Bun.spawn([path, "--version"], { env, stdin: "ignore", stderr: "ignore", timeout: versionTimeoutMs });
    const text = await new Response(asked.stdout).text();
    return (await asked.exited) === 0 ? (/^(\d+\.\d+\.\d+)\S* \(Claude Code\)/.exec(text)?.[1] ?? null) : null;
  } catch {
    // Found, but not a program this machine can run.
    return null;
  }
}
