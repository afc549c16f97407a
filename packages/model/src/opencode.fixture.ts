import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Dialect } from "./dialect.fixture.ts";

/** A folder with a work directory for the real opencode, and an environment in which it knows nothing but our server. */
export interface OpencodeHome extends AsyncDisposable {
  work: string;
  run(prompt: string): Promise<{ exitCode: number; stdout: string; stderr: string }>;
}

const repository = join(import.meta.dir, "../../..");
const binary = join(dirname(Bun.resolveSync("opencode-ai/package.json", repository)), "bin/opencode.exe");

const npmOf: Record<Dialect["name"], string> = { openai: "@ai-sdk/openai-compatible", anthropic: "@ai-sdk/anthropic" };

export async function openOpencodeHome(serverUrl: string, provider: Dialect["name"]): Promise<OpencodeHome> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "ralpher-opencode-")));
  const folder = (name: string) => join(home, name);
  for (const name of ["work", "data", "cache", "state", "tmp"]) await mkdir(folder(name));
  // A config folder without these makes opencode install its plugin package from the network.
  for (const name of ["config/opencode", ".opencode"]) {
    await mkdir(join(folder(name), "node_modules"), { recursive: true });
    const lock = { lockfileVersion: 3, packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };
    await writeFile(join(folder(name), "package-lock.json"), JSON.stringify(lock));
  }
  const config = {
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    permission: { "*": "allow", question: "deny" },
    provider: {
      scripted: {
        npm: npmOf[provider],
        name: "Scripted",
        options: { baseURL: `${serverUrl}/v1`, apiKey: "none" },
        models: { model: { name: "Scripted model", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
      },
    },
  };
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: folder("tmp"),
    XDG_CONFIG_HOME: folder("config"),
    XDG_DATA_HOME: folder("data"),
    XDG_CACHE_HOME: folder("cache"),
    XDG_STATE_HOME: folder("state"),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_SHARE: "1",
  };
  return {
    work: folder("work"),
    async run(prompt) {
      const command = [binary, "run", "--format", "json", "--model", "scripted/model", prompt];
      const child = Bun.spawn(command, { cwd: folder("work"), env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
      const read = (stream: ReadableStream) => new Response(stream).text();
      const [stdout, stderr, exitCode] = await Promise.all([read(child.stdout), read(child.stderr), child.exited]);
      return { exitCode, stdout, stderr };
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}
