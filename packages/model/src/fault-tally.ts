/** How often a fault was played, for `times`. */
export interface FaultTally {
  /** Count one more of this key; the number of times it was counted, 1 at first. */
  count(key: string): number;
}

/**
 * The only thing the server remembers between requests: a retry has the very same content, so nothing else could tell
 * the second attempt from the first. Keeps the newest `limit` keys.
 */
export function createFaultTally(limit = 1000): FaultTally {
  const counts = new Map<string, number>();
  return {
    count(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.delete(key);
      counts.set(key, count);
      if (counts.size > limit) {
        for (const oldest of counts.keys()) {
          counts.delete(oldest);
          break;
        }
      }
      return count;
    },
  };
}
