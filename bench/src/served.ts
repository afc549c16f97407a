import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

export interface Served extends AsyncDisposable {
  url: string;
  pid: number;
}

/** Our server on a data folder; it answers at `path` when this resolves. Ended when disposed. */
export function serveRalpher(dataFolder: string, path = "/api/health"): Promise<Served> {
  const env = { RALPHER_DATA_DIR: dataFolder, RALPHER_LOG_LEVEL: "error" };
  return serve(["packages/cli/src/ralpher.ts", "serve", "--port"], path, { env });
}

/** The floor: a bare Bun.serve, that sends a file's bytes when one is named. */
export function serveBare(body?: string): Promise<Served> {
  return serve(["bench/src/bare-server.ts"], "/", { more: body === undefined ? [] : [body] });
}

async function serve(
  args: string[],
  path: string,
  { env = {}, more = [] }: { env?: Record<string, string>; more?: string[] },
): Promise<Served> {
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const url = `http://127.0.0.1:${probe.port}`;
  await probe.stop(true);
  const child = Bun.spawn([process.execPath, ...args, new URL(url).port, ...more], {
    cwd: root,
    env: { ...process.env, ...env },
    stdout: "ignore",
    stderr: "inherit",
  });
  while (!(await answers(url + path))) await Bun.sleep(2);
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Resident memory in MB (Linux). */
export function rssOf(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}
