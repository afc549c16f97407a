import { createIdleInstances, type IdleInstances } from "./idle-instances.ts";
import type { OpencodeServer } from "./server.ts";

/** A server for one turn. */
export interface Loan {
  readonly server: OpencodeServer;
  /** The turn is over. Idempotent. */
  end(): void;
  /** The server cannot be reached: nobody is to have it any more. */
  discard(): void;
}

export interface PoolLimits {
  /** A server of ours that needs more than this is replaced when no turn is under way: resident bytes. */
  memoryBytes: number;
  /** How long a directory stays open in a server of ours after its last turn, in milliseconds. */
  restMs: number;
}

/** A server that many sessions take turns at. Whoever opened it closes it. */
export interface PooledServer extends AsyncDisposable {
  /** @throws Unusable */
  lend(directory: string): Promise<Loan>;
  /** Resolves when the last turn is over and the server has ended. None is lent any more. */
  closeWhenIdle(): Promise<void>;
}

interface PooledServerListener {
  /** It cannot be used any more, or could not be opened. */
  ended(): void;
  /** It is too large, or out of reach. */
  unwanted(): void;
}

// With turns under way another server would only add to the memory, unless this one has run away.
const busyFactor = 2;

// Looking at all processes takes a while, which is not to be part of the turn.
const weighDelayMs = 100;

export function createPooledServer(
  opening: Promise<OpencodeServer>,
  { memoryBytes, restMs }: PoolLimits,
  listener: PooledServerListener,
): PooledServer {
  let turns = 0;
  let instances: IdleInstances | null = null;
  let closing = false;
  const idle = Promise.withResolvers<void>();
  opening.then(
    (server) => {
      if (server.isOurs) instances = createIdleInstances(server.client, restMs);
      server.ended.addEventListener("abort", listener.ended, { once: true });
    },
    () => listener.ended(),
  );

  function rest(server: OpencodeServer, directory: string): void {
    turns--;
    instances?.rest(directory);
    if (turns === 0 && closing) idle.resolve();
    if (!closing) setTimeout(() => weigh(server), weighDelayMs).unref();
  }

  async function weigh(server: OpencodeServer): Promise<void> {
    const bytes = await server.residentBytes().catch(() => null);
    if (bytes === null || closing) return;
    if (bytes > memoryBytes * (turns === 0 ? 1 : busyFactor)) listener.unwanted();
  }

  async function close(): Promise<void> {
    closing = true;
    instances?.stop();
    // One that could not be opened has nothing to close.
    const server = await opening.catch(() => null);
    await server?.[Symbol.asyncDispose]();
  }

  return {
    async lend(directory) {
      turns++;
      try {
        const server = await opening;
        await instances?.use(directory);
        let ended = false;
        return {
          server,
          end() {
            if (ended) return;
            ended = true;
            rest(server, directory);
          },
          discard: listener.unwanted,
        };
      } catch (error) {
        turns--;
        if (turns === 0 && closing) idle.resolve();
        throw error;
      }
    },
    async closeWhenIdle() {
      closing = true;
      if (turns === 0) idle.resolve();
      await idle.promise;
      await close();
    },
    [Symbol.asyncDispose]: close,
  };
}
