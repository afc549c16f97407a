/**
 * The typed client of the API: paths, parameters, bodies and answers are those of the routes themselves. Runs in
 * browsers and programs alike; nothing of the server comes along but types.
 */
import type { Hono } from "hono";
import { type ClientResponse, hc } from "hono/client";
import type { routeGroups } from "./api.ts";

// biome-ignore lint/suspicious/noExplicitAny: what hc itself asks for
type AnyHono = Hono<any, any, any>;
// Group by group: the compiler would need longer for all routes in one.
type ClientOf<Group> = Group extends (parts: never) => infer Routes
  ? Routes extends AnyHono
    ? (client: ReturnType<typeof hc<Routes>>) => void
    : never
  : never;
type Client = ClientOf<(typeof routeGroups)[number]> extends (client: infer All) => void ? All : never;

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:3000`. In a page: "" or "/", its own server. */
  url: string;
  /** The server's token; a page needs none, its cookie tells. */
  token?: string | undefined;
  fetch?: typeof fetch;
}

/** Ask as in `client.loops[":id"].start.$post({ param: { id }, json: {} })`, and `read` the answer. */
export function createClient({ url, token, fetch: send = fetch }: ClientOptions): Client["api"] {
  const headers: Record<string, string> = { accept: "application/json" };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  return (hc(url, { headers, fetch: send }) as unknown as Client).api;
}

/**
 * The server's "no", or its silence. `message` is a sentence for people, with what to do; `data` is what the fault
 * carried. `code` is the fault's code, or `unreachable` when no answer came.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly data: Record<string, unknown>;

  constructor(code: string, status: number, message: string, data: Record<string, unknown> = {}, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

type Good = 200 | 201 | 202;
type Body<R> =
  R extends ClientResponse<infer Data, infer Status, string> ? (Status extends Good ? Data : never) : never;

/**
 * The body of the answer to what was asked. @throws Refusal for every answer that is not 2xx, and when there is none; an
 * abort throws what fetch throws
 */
export async function read<R extends ClientResponse<unknown>>(asked: Promise<R>): Promise<Body<R>> {
  return (await (await good(asked)).json()) as Body<R>;
}

/** The answer itself, for its headers or its stream. @throws as `read` */
export async function good<R extends ClientResponse<unknown>>(asked: Promise<R>): Promise<R> {
  let response: R;
  try {
    response = await asked;
  } catch (error) {
    if (!(error instanceof Error) || error.name === "AbortError" || error.name === "TimeoutError") throw error;
    throw new Refusal("unreachable", 0, "The server does not answer.", {}, error);
  }
  if (!response.ok) throw refusalOf(response.status, await response.text());
  return response;
}

/** Read a refusal out of an answer's body; tolerant, because a proxy in between may answer with anything. */
export function refusalOf(status: number, body: string): Refusal {
  try {
    const { error, message, ...data } = JSON.parse(body);
    if (typeof error === "string" && typeof message === "string") return new Refusal(error, status, message, data);
  } catch {
    // Not JSON: the sentence below is all there is to say.
  }
  return new Refusal("unknown", status, `The server answered with status ${status}. Look at its log for the reason.`);
}
