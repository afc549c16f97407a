import { resolve } from "node:path";

type Environment = Record<string, string | undefined>;

/** Where opencode has come up in this process's time, and the starts under way where it has not. */
const hasComeUp = new Set<string>();
const underWay = new Map<string, Promise<unknown>>();

/**
 * Start an opencode, whatever it is to serve. At its first start for a user it makes its database, and of two that do so
 * at once one ends at once ("database is locked"): so until one has come up, they start one after the other. `start`
 * resolves when it has come up. Whoever's signal aborts waits no longer; `start` sees to the rest.
 */
export async function startOpencode<T>(env: Environment, start: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const place = resolve(env.XDG_DATA_HOME || resolve(env.HOME ?? "/", ".local/share"));
  const gone = Promise.withResolvers<void>();
  const leave = () => gone.resolve();
  signal?.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const first = underWay.get(place);
      if (hasComeUp.has(place) || signal?.aborted === true) return await start();
      if (first === undefined) return await startFirst(place, start);
      await Promise.race([first, gone.promise]);
    }
  } finally {
    signal?.removeEventListener("abort", leave);
  }
}

async function startFirst<T>(place: string, start: () => Promise<T>): Promise<T> {
  const starting = start();
  underWay.set(
    place,
    starting.catch(() => {}),
  );
  try {
    const started = await starting;
    hasComeUp.add(place);
    return started;
  } finally {
    underWay.delete(place);
  }
}
