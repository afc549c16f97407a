import type { OpencodeClient } from "@opencode-ai/sdk/v2/client";

/** What a server keeps for each directory it has worked in, and when it may let go of it. */
export interface IdleInstances {
  /** A turn begins in the directory. Resolves when opencode is ready for it. */
  use(directory: string): Promise<void>;
  /** A turn is over. */
  rest(directory: string): void;
  stop(): void;
}

/**
 * opencode keeps 30 MB and more for each directory, for ever. It gives them back when told to, and takes a second to
 * come back to the directory; so it is told when no turn was there for so long, and the next iteration of a loop finds it
 * at home.
 */
export function createIdleInstances({ instance }: OpencodeClient, restMs: number): IdleInstances {
  const turns = new Map<string, number>();
  const timers = new Map<string, Timer>();
  const leaving = new Map<string, Promise<unknown>>();

  function leave(directory: string): void {
    timers.delete(directory);
    // It is as good a server as before when this fails.
    const left = instance.dispose({ directory }).catch(() => {});
    leaving.set(directory, left);
    void left.finally(() => leaving.delete(directory));
  }

  return {
    async use(directory) {
      turns.set(directory, (turns.get(directory) ?? 0) + 1);
      clearTimeout(timers.get(directory));
      timers.delete(directory);
      await leaving.get(directory);
    },
    rest(directory) {
      const left = (turns.get(directory) ?? 1) - 1;
      if (left > 0) {
        turns.set(directory, left);
        return;
      }
      turns.delete(directory);
      const timer = setTimeout(() => leave(directory), restMs);
      // Not a reason to stay alive.
      timer.unref();
      timers.set(directory, timer);
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
