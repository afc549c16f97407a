import type { BackendConfig, SessionRequest } from "@ralpher/contract";
import { addressOf, openConnectedServer } from "./connected-server.ts";
import type { Installation } from "./executable.ts";
import { createPooledServer, type Loan, type PooledServer, type PoolLimits } from "./pooled-server.ts";
import type { OpencodeServer } from "./server.ts";
import { openSpawnedServer } from "./spawned-server.ts";
import { Unusable } from "./unusable.ts";

/**
 * The servers of this process: one of our own for all loops, one more for each environment that sessions want, and one
 * for each address that loops connect to.
 */
export interface ServerPool extends AsyncDisposable {
  /** A session's place. Whoever joins leaves. */
  join(wanted: Pick<SessionRequest, "backend" | "env" | "directory">): Seat;
}

export interface Seat {
  /**
   * The server for a turn, started or connected to at first use, and anew when it has ended; a loan must be ended.
   * @throws Unusable
   */
  borrow(): Promise<Loan>;
  /** The session is over, and with the last one that wants this environment its server. */
  leave(): Promise<void>;
}

export function createServerPool(installation: Installation, limits: PoolLimits): ServerPool {
  const servers = new Map<string, PooledServer>();
  /** Those that are to end when their last turn does. */
  const retired = new Set<PooledServer>();
  const seats = new Map<string, number>();
  let closed = false;

  function add(key: string, opening: Promise<OpencodeServer>): PooledServer {
    const server = createPooledServer(opening, limits, {
      // The next turn has a new one.
      ended: () => {
        if (servers.get(key) === server) servers.delete(key);
      },
      unwanted: () => retire(key, server),
    });
    servers.set(key, server);
    return server;
  }

  function retire(key: string, server: PooledServer): Promise<void> {
    if (retired.has(server)) return Promise.resolve();
    if (servers.get(key) === server) servers.delete(key);
    retired.add(server);
    return server.closeWhenIdle().finally(() => retired.delete(server));
  }

  function open({ backend, env = {} }: Pick<SessionRequest, "backend" | "env">): Promise<OpencodeServer> {
    if (backend.mode === "connect") return openConnectedServer(addressOf(backend), installation.env);
    return openSpawnedServer({ ...installation, env: { ...installation.env, ...env } });
  }

  return {
    join({ backend, env, directory }) {
      const key = keyOf(backend, env);
      seats.set(key, (seats.get(key) ?? 0) + 1);
      let left = false;
      return {
        async borrow() {
          if (closed) throw new Unusable({ reason: "aborted", message: "Ralpher is ending." });
          const server = servers.get(key) ?? add(key, open({ backend, env }));
          return await server.lend(directory);
        },
        async leave() {
          if (left) return;
          left = true;
          const others = (seats.get(key) ?? 1) - 1;
          if (others > 0) seats.set(key, others);
          else seats.delete(key);
          const server = servers.get(key);
          if (others === 0 && isOfEnvironment(backend, env) && server !== undefined) await retire(key, server);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.all([...servers.values(), ...retired].map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

function isOfEnvironment({ mode }: BackendConfig, env: SessionRequest["env"]): boolean {
  return mode === "spawn" && env !== undefined && Object.keys(env).length > 0;
}

function keyOf(backend: BackendConfig, env: SessionRequest["env"]): string {
  if (backend.mode === "connect") return addressOf(backend);
  const entries = Object.entries(env ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return `own ${JSON.stringify(entries)}`;
}
