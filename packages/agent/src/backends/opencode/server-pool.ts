import type { BackendConfig } from "@ralpher/contract";
import { addressOf, openConnectedServer } from "./connected-server.ts";
import type { Installation } from "./executable.ts";
import type { OpencodeServer } from "./server.ts";
import { openSpawnedServer } from "./spawned-server.ts";
import { Unusable } from "./unusable.ts";

/** The servers of this process: one of our own for all loops, and one for each address that loops connect to. */
export interface ServerPool extends AsyncDisposable {
  /**
   * The server a loop wants, started or connected to at first use, and anew when it has ended. None once closed.
   * @throws Unusable
   */
  require(wanted: BackendConfig): Promise<OpencodeServer>;
}

export function createServerPool(installation: Installation): ServerPool {
  const servers = new Map<string, Promise<OpencodeServer>>();
  let closed = false;

  function open(wanted: BackendConfig, key: string): Promise<OpencodeServer> {
    const opening =
      wanted.mode === "spawn" ? openSpawnedServer(installation) : openConnectedServer(key, installation.env);
    const forget = () => {
      if (servers.get(key) === opening) servers.delete(key);
    };
    opening.then((server) => server.ended.addEventListener("abort", forget, { once: true }), forget);
    return opening;
  }

  return {
    async require(wanted) {
      if (closed) throw new Unusable({ reason: "aborted", message: "Ralpher is ending." });
      const key = wanted.mode === "spawn" ? "" : addressOf(wanted);
      const present = servers.get(key);
      if (present !== undefined) return present;
      const opening = open(wanted, key);
      servers.set(key, opening);
      return opening;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      // One that could not be opened has nothing to close.
      const settled = await Promise.allSettled(servers.values());
      await Promise.all(settled.map((one) => one.status === "fulfilled" && one.value[Symbol.asyncDispose]()));
    },
  };
}
