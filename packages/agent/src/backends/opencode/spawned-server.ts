import { randomBytes } from "node:crypto";
import type { TurnFailure } from "@ralpher/contract";
import { drain } from "../../last-lines.ts";
import { type Guarded, startGuarded } from "../../process/guard.ts";
import { endStrays } from "../../process/strays.ts";
import { startOpencode } from "../../programs/opencode/first-start.ts";
import { Unusable } from "../../unusable.ts";
import { openEventFeed } from "./event-feed.ts";
import { type Installation, requireExecutable, requireSupported } from "./executable.ts";
import { readResidentBytes } from "./memory.ts";
import { type Credentials, createClient, type OpencodeServer, readServerVersion } from "./server.ts";

const startTimeoutMs = 60_000;

/**
 * Start a server of our own, for all directories. It cannot outlive this process. The user's environment and
 * configuration reach it untouched, but for a password that nobody else knows.
 * @throws Unusable
 */
export async function openSpawnedServer(installation: Installation): Promise<OpencodeServer> {
  const path = requireExecutable(installation);
  return await startOpencode(installation.env, () => spawnServer(path, installation));
}

async function spawnServer(path: string, installation: Installation): Promise<OpencodeServer> {
  const credentials = { username: "opencode", password: randomBytes(24).toString("base64url") };
  const guarded = startGuarded({
    argv: [path, "serve", "--hostname", "127.0.0.1", "--port", "0"],
    // No project: each request names its own.
    cwd: "/",
    env: {
      ...installation.env,
      OPENCODE_SERVER_USERNAME: credentials.username,
      OPENCODE_SERVER_PASSWORD: credentials.password,
    },
  });
  const lastWords = drain(guarded.stderr);
  try {
    const url = await waitForUrl(guarded, lastWords.text);
    return await openServer(guarded, url, credentials, lastWords.text);
  } catch (error) {
    await guarded.end();
    throw error;
  }
}

/** Resolves with the address the server says it listens at. */
async function waitForUrl(guarded: Guarded, lastWords: () => string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (what: string) => {
    const message = `opencode's server ${what}. ${lastWords() || output.text()}`.trim();
    reject(new Unusable({ reason: "crashed", message }));
  };
  let said = "";
  const output = drain(guarded.stdout, (text) => {
    if (said.length > 100_000) return;
    said += text;
    const url = /listening on (http:\/\/\S+)\s/.exec(said)?.[1];
    if (url !== undefined) resolve(url);
  });
  const timer = setTimeout(() => fail(`did not listen within ${startTimeoutMs / 1000} s`), startTimeoutMs);
  void guarded.exited.then((code) => fail(`ended at once (exit code ${code})`));
  return promise.finally(() => clearTimeout(timer));
}

async function openServer(
  guarded: Guarded,
  url: string,
  credentials: Credentials,
  lastWords: () => string,
): Promise<OpencodeServer> {
  const client = createClient(url, credentials);
  requireSupported(await readServerVersion(client));
  const ended = new AbortController();
  const end = (failure: TurnFailure) => ended.abort(failure);
  const feed = await openEventFeed(client, (detail) =>
    end({ reason: "connection", message: `opencode's events are lost: ${detail}` }),
  );
  void guarded.exited.then((code) => {
    feed.close();
    end({ reason: "crashed", message: `opencode ended unexpectedly (exit code ${code}). ${lastWords()}`.trim() });
  });
  return {
    url,
    client,
    feed,
    ended: ended.signal,
    isOurs: true,
    residentBytes: () => readResidentBytes(guarded),
    endStrays: (directory) => endStrays(guarded, directory),
    async [Symbol.asyncDispose]() {
      feed.close();
      await guarded.end();
    },
  };
}
