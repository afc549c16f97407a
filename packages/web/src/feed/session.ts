import { createStore } from "./store.ts";

/** The server wants a token that this browser has not given yet. */
export const locked = createStore(false);

/** Ask for the token when the server did. */
export function noteStatus(status: number): void {
  if (status === 401) locked.set(true);
}
