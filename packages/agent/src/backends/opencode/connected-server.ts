import type { BackendConfig, TurnFailure } from "@ralpher/contract";
import { Unusable } from "../../unusable.ts";
import { openEventFeed } from "./event-feed.ts";
import { requireSupported } from "./executable.ts";
import { createClient, type OpencodeServer, readServerVersion } from "./server.ts";

/** Where an opencode server listens: `host:port`, with opencode's own defaults. */
export function addressOf({ hostname = "127.0.0.1", port = 4096 }: BackendConfig): string {
  return `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/**
 * Use a server that somebody else runs: it is never ended by us. Its password is OPENCODE_SERVER_PASSWORD of the
 * environment, if there is one.
 * @throws Unusable
 */
export async function openConnectedServer(
  address: string,
  env: Record<string, string | undefined>,
): Promise<OpencodeServer> {
  const url = `http://${address}`;
  const { OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: username = "opencode" } = env;
  const client = createClient(url, password ? { username, password } : null);
  requireSupported(await readServerVersion(client).catch((cause: unknown) => explain(cause, address)));
  const ended = new AbortController();
  const feed = await openEventFeed(client, (detail) => {
    const message = `The connection to the opencode server at ${address} is lost: ${detail}`;
    ended.abort({ reason: "connection", message } satisfies TurnFailure);
  });
  return {
    url,
    client,
    feed,
    ended: ended.signal,
    isOurs: false,
    residentBytes: () => Promise.resolve(null),
    endStrays: () => Promise.resolve(),
    async [Symbol.asyncDispose]() {
      feed.close();
    },
  };
}

function explain(cause: unknown, address: string): never {
  if (!(cause instanceof Unusable) || cause.failure.reason !== "connection") throw cause;
  const hint = `Start one with "opencode serve --port ${address.split(":").at(-1)}", or name another host and port.`;
  const message = `No opencode server answers at ${address}. ${hint}`;
  throw new Unusable({ reason: "connection", message }, { cause });
}
