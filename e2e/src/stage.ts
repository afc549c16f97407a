import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { offlineOpencodeEnvironment } from "@ralpher/agent";
import { type Loop, Script, type StoredEvent } from "@ralpher/contract";
import { git } from "@ralpher/loop/lab";
import { type ModelServer, openModelServer } from "@ralpher/model";

const root = join(import.meta.dir, "../..");
const fromSource = [process.execPath, join(root, "packages/cli/src/ralpher.ts")];
const opencode = join(dirname(Bun.resolveSync("opencode-ai/package.json", root)), "bin", "opencode.exe");

/** What a command printed, and how it left. */
export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** A command under way. */
export interface Running {
  pid: number;
  /** Standard output so far. */
  out: () => string;
  /** Resolves when standard output contains this. Fails when the command ends before. */
  says: (text: string) => Promise<void>;
  signal: (signal: NodeJS.Signals) => void;
  ended: Promise<Ended>;
}

/**
 * A stage for a journey: a repository, a data folder, a scripted model, and the real opencode on PATH set up to talk to
 * it, as a user's own would be. Everything is removed afterwards, processes first.
 */
export async function openStage(
  script: Record<string, unknown> | null = null,
  { program = fromSource }: { program?: string[] } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "ralpher-e2e-"));
  const repository = join(folder, "project");
  const dataDir = join(folder, "data");
  const home = join(folder, "home");
  const bin = join(folder, "bin");
  for (const path of [repository, home, bin]) await mkdir(path);
  await makeRepository(repository);
  const model: ModelServer | null = script === null ? null : openModelServer({ script: Script.parse(script) });
  const agentEnv = await offlineOpencodeEnvironment({ home, modelUrl: model?.url ?? "http://127.0.0.1:9" });
  await symlink(opencode, join(bin, "opencode"));
  const env: Record<string, string> = {
    ...agentEnv,
    PATH: [bin, withoutPinned(agentEnv.PATH)].join(delimiter),
    RALPHER_DATA_DIR: dataDir,
    NO_COLOR: "1",
  };
  const commands: { pid: number; kill: (signal: NodeJS.Signals) => void; exited: Promise<unknown> }[] = [];

  const start = (args: string[], more: Record<string, string | undefined> = {}, cwd = folder): Running => {
    const child = Bun.spawn([...program, ...args], {
      cwd,
      env: { ...env, ...more },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    commands.push({ pid: child.pid, kill: (signal) => child.kill(signal), exited: child.exited });
    let out = "";
    let ring = Promise.withResolvers<void>();
    let isOver = false;
    const reading = (async () => {
      for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
        out += chunk;
        ring.resolve();
        ring = Promise.withResolvers();
      }
      isOver = true;
      ring.resolve();
    })();
    const err = new Response(child.stderr).text();
    const ended = child.exited.then(async (code) => {
      await reading;
      return { code, out, err: await err };
    });
    return {
      pid: child.pid,
      out: () => out,
      signal: (signal) => child.kill(signal),
      ended,
      async says(text) {
        while (!out.includes(text)) {
          if (isOver) throw new Error(`It ended without saying "${text}":\n${out}\n${await err}`);
          await ring.promise;
        }
      },
    };
  };

  return {
    folder,
    repository,
    dataDir,
    bin,
    model,
    env,
    start,
    /** Run a command to its end. */
    run: (args: string[], more: Record<string, string | undefined> = {}, cwd?: string): Promise<Ended> =>
      start(args, more, cwd).ended,
    /** Start the server; resolves to its address when it listens. */
    async serve(more: Record<string, string | undefined> = {}): Promise<{ url: string; server: Running }> {
      const server = start(["serve", "--port", String(freePort())], more);
      await server.says(" is at http");
      return { url: /is at (http\S+)/.exec(server.out())?.[1] ?? "", server };
    },
    /** What in the system still belongs to this stage: processes that have its folder in their environment (Linux). */
    leftovers: () => processesWith(`RALPHER_DATA_DIR=${dataDir}`),
    async [Symbol.asyncDispose]() {
      for (const command of commands) command.kill("SIGKILL");
      await Promise.all(commands.map((command) => command.exited));
      await eventually(async () => (await processesWith(`RALPHER_DATA_DIR=${dataDir}`)).length === 0);
      await model?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** PATH as a user has it: a package manager that runs these tests puts the pinned tools on it. */
function withoutPinned(path = ""): string {
  return path
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter);
}

/** Poll until it is so. Fails after a generous while, for a test must end. */
export async function eventually(condition: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<void> {
  const until = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > until) throw new Error(`not so after ${withinMs} ms: ${condition}`);
    await Bun.sleep(20);
  }
}

export { git };

export async function makeRepository(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await git(path, "init", "-q", "-b", "main");
  await git(path, "config", "user.name", "Somebody");
  await git(path, "config", "user.email", "somebody@localhost");
  await writeFile(join(path, "notes.txt"), "one\n");
  await git(path, "add", "-A");
  await git(path, "commit", "-q", "-m", "first");
}

/** An executable script on the stage's PATH, in front of everything else. */
export async function putProgram(stage: Stage, name: string, text: string): Promise<void> {
  const path = join(stage.bin, name);
  await rm(path, { force: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** The last line of `--json` output. */
export const lastJson = (out: string): Loop => JSON.parse(out.trim().split("\n").at(-1) ?? "");

/** The events of `--json` output. */
export const eventsOf = (out: string): StoredEvent[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((line) => "seq" in line);

function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = probe;
  probe.stop(true);
  return port ?? 0;
}

async function processesWith(text: string): Promise<number[]> {
  const pids: number[] = [];
  for (const name of new Bun.Glob("[0-9]*").scanSync({ cwd: "/proc", onlyFiles: false })) {
    const environ = await Bun.file(`/proc/${name}/environ`)
      .text()
      .catch(() => "");
    if (environ.split("\0").includes(text)) pids.push(Number(name));
  }
  return pids;
}
