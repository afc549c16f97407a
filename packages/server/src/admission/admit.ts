import { Fault } from "@ralpher/contract";
import type { Context, MiddlewareHandler } from "hono";
import { connectionOf } from "../connection.ts";
import type { Lock } from "./lock.ts";

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** What answers without the token: whether one is needed, how to give it, and whether the server is well. */
const open = new Set(["/api/session", "/api/health"]);
/** Pages without anything of the user's; a link from elsewhere may lead here. */
const leaflets = new Set(["/api/docs", "/api/openapi.json"]);
/** How long a request that came in may be silent, in seconds: merges and pushes take their time. */
const patience = 250;

/**
 * Who may come in. Without a token: only requests that name this machine's loopback as their host (a page elsewhere
 * whose name was rebound to 127.0.0.1 does not). With a token: everything below /api needs it, but the dashboard's files
 * do not, for they hold no secrets. Either way, other sites' pages may set nothing off.
 */
export function admit(lock: Lock | null): MiddlewareHandler {
  return async (c, next) => {
    if (!URL.canParse(c.req.url)) throw new Fault("forbidden", { why: "the request names no host" });
    const url = new URL(c.req.url);
    if (lock === null && !loopbackNames.has(url.hostname)) {
      throw new Fault("forbidden", { why: `this server is not ${url.hostname}` });
    }
    // The path as the router reads it: in the address, letters may be written as %61.
    const { path } = c.req;
    const isApi = path === "/api" || path.startsWith("/api/");
    requireOwnSite(c, url.host, isApi && !leaflets.has(path));
    if (lock !== null && isApi && !open.has(path)) lock.requireEntered(c);
    if (lock !== null && !isApi && url.searchParams.has("token")) return enterByLink(c, lock, url);
    if (isApi) connectionOf(c).allow(patience);
    return await next();
  };
}

/** The address with the token in it, as the server prints it: from then on the cookie tells. */
function enterByLink(c: Context, lock: Lock, url: URL): Response {
  const given = url.searchParams.get("token") ?? "";
  // A wrong one is told of by the page, which asks for the right one.
  if (lock.tries(c, given)) lock.letIn(c);
  url.searchParams.delete("token");
  c.header("cache-control", "no-store");
  c.header("referrer-policy", "no-referrer");
  return c.redirect(`${url.pathname.replace(/^\/+/, "/")}${url.search}`);
}

/** Browsers tell who asks. @throws Fault `forbidden` when it is another site's page */
function requireOwnSite(c: Context, host: string, isPrivate: boolean): void {
  const origin = c.req.header("origin");
  if (origin !== undefined && hostOf(origin) !== host)
    throw new Fault("forbidden", { why: `${origin} is another site` });
  // Looking at a folder, too, is nothing that another site's page may set off. Another port is another site.
  const site = c.req.header("sec-fetch-site") ?? "none";
  if (isPrivate && site !== "same-origin" && site !== "none") {
    throw new Fault("forbidden", { why: "another site asked for it" });
  }
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
