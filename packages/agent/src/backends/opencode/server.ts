import { createOpencodeClient, type OpencodeClient } from "@opencode-ai/sdk/v2/client";
import { answer } from "./answer.ts";
import type { EventFeed } from "./event-feed.ts";

/** An opencode server in use. Whoever opened it closes it. */
export interface OpencodeServer extends AsyncDisposable {
  readonly url: string;
  readonly client: OpencodeClient;
  readonly feed: EventFeed;
  /** Aborts when it can no longer be used. Its reason is the `TurnFailure` of the turns under way. */
  readonly ended: AbortSignal;
  /** We have started it, and end it. */
  readonly isOurs: boolean;
  /** How much memory it takes, in resident bytes; null when nothing tells. */
  residentBytes(): Promise<number | null>;
  /** End what its sessions left running in a directory. Nothing for a server that is not ours. */
  endStrays(directory: string): Promise<void>;
}

export interface Credentials {
  username: string;
  password: string;
}

const versionTimeoutMs = 10_000;

/** A client for all directories of a server. */
export function createClient(url: string, credentials: Credentials | null): OpencodeClient {
  if (credentials === null) return createOpencodeClient({ baseUrl: url });
  const login = Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
  return createOpencodeClient({ baseUrl: url, headers: { authorization: `Basic ${login}` } });
}

/**
 * The version of the server, which shows that it is one, and that it lets us in.
 * @throws Unusable
 */
export async function readServerVersion(client: OpencodeClient): Promise<string> {
  const asked = client.global.health({ signal: AbortSignal.timeout(versionTimeoutMs) });
  return (await answer(asked, "tell its version")).version;
}
