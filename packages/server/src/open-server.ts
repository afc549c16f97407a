import { Fault, type Hub } from "@ralpher/contract";
import { createApi } from "./api.ts";
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
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);
/** Larger requests are refused; prompts are far smaller. */
const largestBody = 4 * 1024 * 1024;

/**
 * Listen. @throws Fault `port_taken` when no tried port is free, `host_not_loopback` for an address others can reach
 * without a token
 */
export function openServer(options: ServerOptions): RunningServer {
  const { hub, hostname, token } = options;
  if (token === null && !loopback.has(hostname)) throw new Fault("host_not_loopback", { host: hostname });
  const feed = new Feed(hub);
  const api = createApi({ ...options, feed, admission: { token } });
  const server = listen(options, (request) => api.fetch(request));
  return {
    url: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${server.port}`,
    port: server.port ?? options.port,
    async [Symbol.asyncDispose]() {
      feed[Symbol.dispose]();
      await server.stop(true);
    },
  };
}

function listen({ hostname, port, tries }: ServerOptions, fetch: (request: Request) => Response | Promise<Response>) {
  for (let tried = port; tried < port + tries; tried++) {
    try {
      return Bun.serve({
        hostname,
        port: tried,
        fetch,
        // Event streams are silent for up to a heartbeat; this must be longer. In seconds.
        idleTimeout: 60,
        maxRequestBodySize: largestBody,
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
