import { Refusal } from "@ralpher/server/client";

/** The server's "no", or its silence, is the typed client's; so that what it throws is an instance of this class. */
export { Refusal, refusalOf as parseRefusal } from "@ralpher/server/client";

const unreachable = 'The server does not answer. Start it again with "ralpher serve"; this page goes on by itself.';

/** The refusal for a request that got no answer at all. */
export function unreachableRefusal(): Refusal {
  return new Refusal("unreachable", 0, unreachable);
}

/** What to tell a person about anything that was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal && error.code === "unreachable") return unreachable;
  return error instanceof Error ? error.message : String(error);
}
