/** The real opencode, a scripted model, and folders to work in: what the tests of this backend share. */
import { mkdtemp, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type AgentEvent, type BackendConfig, Script } from "@ralpher/contract";
import { openModelServer } from "@ralpher/model";
import { parseMark } from "../../process/mark.ts";
import { findMarked } from "../../process/marked.ts";
import { createStage, type Stage } from "../../stage.fixture.ts";
import { createOpencodeBackend, type OpencodeOptions } from "./backend.ts";
import { type OfflineOptions, offlineOpencodeEnvironment } from "./offline-environment.ts";

export { type Heard, hear, type Stage } from "../../stage.fixture.ts";

export const command = join(dirname(Bun.resolveSync("opencode-ai/package.json", import.meta.dir)), "bin/opencode.exe");

export interface StageOptions {
  conversations: unknown[];
  provider?: OfflineOptions["provider"];
  /** Added to opencode's configuration. */
  config?: Record<string, unknown>;
  backend?: BackendConfig;
  /** The model's answers cost something: US dollars per million tokens. */
  price?: { input: number; output: number };
  /** Added to opencode's environment. */
  env?: Record<string, string>;
  limits?: Pick<OpencodeOptions, "memoryLimitBytes" | "directoryRestMs">;
}

/** Must be closed. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const {
    conversations,
    provider = "openai",
    config = {},
    backend: where = { type: "opencode", mode: "spawn" },
    price,
    limits = {},
    env: more = {},
  } = options;
  const root = await realpath(await mkdtemp(join(tmpdir(), "ralpher-opencode-")));
  const home = join(root, "home");
  const model = openModelServer({ script: Script.parse({ conversations }) });
  const env = await offlineOpencodeEnvironment({ home, modelUrl: model.url, provider });
  Object.assign(env, more);
  const offline = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? "{}");
  if (price !== undefined) offline.provider.scripted.models.model.cost = price;
  env.OPENCODE_CONFIG_CONTENT = JSON.stringify({ ...offline, ...config });
  const backend = createOpencodeBackend({ command, env, ...limits });
  const defaults = { backend: where, model: { providerID: "scripted", modelID: "model" } } as const;
  return createStage({ backend, model, env, root, defaults });
}

/** Read on until the event comes. The rest of the turn is still to be read. */
export async function hearUntil(events: AsyncIterator<AgentEvent>, type: AgentEvent["type"]): Promise<void> {
  for (let next = await events.next(); next.value?.type !== type; next = await events.next()) {
    if (next.done) throw new Error(`the turn ended before any ${type}`);
  }
}

/** Look until it is so; a test that waits in vain fails by its own limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20);
}

export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // A dead process stays a zombie until its parent looks.
  return stat !== null && !/\) [ZX] /.test(stat);
}

/** The opencode servers that this process has started and that live. */
export async function ownServers(): Promise<number[]> {
  const mine = await findMarked((mark) => parseMark(mark)?.pid === process.pid);
  const lines = await Promise.all(
    mine.map(async ({ pid }) => ({ pid, line: await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") })),
  );
  return lines.filter(({ line }) => line.split("\0")[1] === "serve").map(({ pid }) => pid);
}

/** Take the only server there is. */
export async function requireOwnServer(): Promise<number> {
  const [pid, ...more] = await ownServers();
  if (pid === undefined || more.length > 0) throw new Error(`there are ${more.length + (pid ? 1 : 0)} servers`);
  return pid;
}
