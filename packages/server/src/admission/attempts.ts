import { Fault } from "@ralpher/contract";

/** So many wrong tokens from one address, and then one more every so many milliseconds. */
const most = 10;
const everyMs = 6_000;
/** Of so many addresses at most; the longest quiet one is forgotten. */
const mostAddresses = 1_000;

/** Counts wrong tokens by address, so that guessing takes for ever. */
export interface Attempts {
  /** @throws Fault `too_many_attempts` */
  requireLeft(address: string): void;
  count(address: string): void;
}

export function createAttempts(now: () => number = Date.now): Attempts {
  /** When all of an address's wrong tokens are forgiven. */
  const forgiven = new Map<string, number>();
  return {
    requireLeft(address) {
      const waitMs = (forgiven.get(address) ?? 0) - now() - (most - 1) * everyMs;
      if (waitMs > 0) throw new Fault("too_many_attempts", { seconds: Math.ceil(waitMs / 1000) });
    },
    count(address) {
      const until = Math.max(forgiven.get(address) ?? 0, now()) + everyMs;
      forgiven.delete(address);
      forgiven.set(address, until);
      const oldest = forgiven.keys().next().value;
      if (forgiven.size > mostAddresses && oldest !== undefined) forgiven.delete(oldest);
    },
  };
}
