import { Fault, type Hub } from "@ralpher/contract";
import { createLock } from "./admission/lock.ts";
import { createApi } from "./api.ts";
import type { Connection } from "./connection.ts";
import { Feed } from "./feed/feed.ts";

export interface ServerOptions {
  hub: Hub;
  hostname: string;
  /** The first port to try. */
  port: number;
  /** How many ports to try, one after the other. 1: this one or none. */
  tries: number;
  token: string | null;
  version: string;
  /** See ApiParts. */
  dashboard: Promise<string | null>;
  onBug: (error: unknown) => void;
  /** How often event streams show that they are alive, in milliseconds. Default 15,000. */
  heartbeatMs?: number;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/**
 * Listen. @throws Fault `port_taken` when no tried port is free, `host_not_loopback` for an address others can reach
 * without a token
 */
export function openServer(options: ServerOptions): RunningServer {
  const { hub, hostname, token, heartbeatMs } = options;
  if (token === null && !loopback.has(hostname)) throw new Fault("host_not_loopback", { host: hostname });
  const feed = new Feed(hub, heartbeatMs === undefined ? {} : { heartbeatMs });
  const api = createApi({ ...options, feed, lock: token === null ? null : createLock(token) });
  const server = listen(options, (request, from) => api.fetch(request, { connection: connectionOver(from, request) }));
  return {
    url: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${server.port}`,
    port: server.port ?? options.port,
    async [Symbol.asyncDispose]() {
      feed[Symbol.dispose]();
      await server.stop(true);
    },
  };
}

/** A connection may be silent for so long, in seconds; that ends those that never finish their request, too. */
const idleTimeout = 30;

function connectionOver(server: Server, request: Request): Connection {
  return {
    get address() {
      return server.requestIP(request)?.address ?? "";
    },
    allow: (seconds) => server.timeout(request, seconds),
  };
}

type Server = Bun.Server<undefined>;
type Answer = (request: Request, server: Server) => Response | Promise<Response>;

function listen({ hostname, port, tries }: ServerOptions, fetch: Answer) {
  for (let tried = port; tried < port + tries; tried++) {
    try {
      return Bun.serve({
        hostname,
        port: tried,
        fetch,
        idleTimeout,
        // Bun's own refusal has no words; body-limit.ts has.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        development: false,
        // Without development Bun shares ports between processes unless told not to; a taken port must be an error.
        reusePort: false,
      });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "EADDRINUSE") continue;
      throw new Fault("cannot_listen", { host: hostname, port: tried, detail: code ?? message }, { cause: error });
    }
  }
  throw new Fault("port_taken", { host: hostname, port });
}
