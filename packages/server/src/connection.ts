import type { Context } from "hono";

/** The connection a request came by; what `openServer` gives along with it. */
export interface Connection {
  /** Where the other side is, as the socket says; no header is believed. */
  readonly address: string;
  /** It may be silent for so many seconds from now on. */
  allow(seconds: number): void;
}

const none: Connection = { address: "", allow: () => {} };

export function connectionOf(c: Context): Connection {
  return (c.env as { connection?: Connection } | undefined)?.connection ?? none;
}
