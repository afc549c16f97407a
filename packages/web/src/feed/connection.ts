/** How fresh what is on the screen is. `since` is a time in epoch milliseconds. */
export type Connection =
  | { state: "connecting" }
  | { state: "live" }
  | { state: "catching-up" }
  | { state: "offline"; since: number };

const rank = { live: 0, connecting: 1, "catching-up": 2, offline: 3 } as const;

/** What to say when several streams feed one page: the worst of them, and of two losses the older. */
export function worstOf(connections: Connection[]): Connection {
  let worst: Connection = { state: "live" };
  for (const connection of connections) {
    if (rank[connection.state] > rank[worst.state]) worst = connection;
    else if (connection.state === "offline" && worst.state === "offline" && connection.since < worst.since)
      worst = connection;
  }
  return worst;
}
