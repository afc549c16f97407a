import type { BackendConfig, SessionRequest } from "@ralpher/contract";
import { Unusable } from "../../unusable.ts";
import { addressOf, openConnectedServer } from "./connected-server.ts";
import type { Installation } from "./executable.ts";
import { guardedEnvironment } from "./guarded-environment.ts";
import { createPooledServer, type Loan, type PooledServer, type PoolLimits } from "./pooled-server.ts";
import type { OpencodeServer } from "./server.ts";
import { openSpawnedServer } from "./spawned-server.ts";

/** What decides which server a session has. */
type Wanted = Pick<SessionRequest, "backend" | "env" | "tools">;

/**
 * The servers of this process: one of our own for all loops, one for sessions with an allowlist, which has our plugin, one
 * more of either for each environment that sessions want, and one for each address that loops connect to.
 */
export interface ServerPool extends AsyncDisposable {
  /** A session's place. Whoever joins leaves. */
  join(wanted: Wanted & Pick<SessionRequest, "directory">): Seat;
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

export function createServerPool(
  installation: Installation,
  limits: PoolLimits,
  guardPlugin?: () => string,
): ServerPool {
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

  function open(wanted: Wanted): Promise<OpencodeServer> {
    const { backend, env: more } = wanted;
    if (backend.mode === "connect") return openConnectedServer(addressOf(backend), installation.env);
    const env = { ...installation.env, ...more };
    return openSpawnedServer({
      ...installation,
      env: isGuarded(wanted) ? guardedEnvironment(env, guardPlugin?.()) : env,
    });
  }

  return {
    join(wanted) {
      const { backend, env, directory } = wanted;
      const key = keyOf(wanted);
      seats.set(key, (seats.get(key) ?? 0) + 1);
      let left = false;
      return {
        async borrow() {
          if (closed) throw new Unusable({ reason: "aborted", message: "Ralpher is ending." });
          const server = servers.get(key) ?? add(key, open(wanted));
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

function keyOf(wanted: Wanted): string {
  const { backend, env = {} } = wanted;
  if (backend.mode === "connect") return addressOf(backend);
  const entries = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${isGuarded(wanted) ? "guarded" : "plain"} ${JSON.stringify(entries)}`;
}

/** The plugin costs each turn some milliseconds, and each directory a wait where opencode cannot fetch what it wants. */
const isGuarded = ({ tools }: Wanted) => tools !== undefined;
