import { createHash, timingSafeEqual } from "node:crypto";
import { Fault } from "@ralpher/contract";
import type { MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";

export interface Admission {
  /** Whoever has it comes in, from anywhere. Null: everybody on this machine comes in, and nobody else. */
  token: string | null;
}

const cookie = "ralpher_token";
const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Who may come in. Without a token: only requests that name this machine's loopback as their host (a page elsewhere
 * whose name was rebound to 127.0.0.1 does not), and changes only from our own page or from no page at all.
 */
export function admit({ token }: Admission): MiddlewareHandler {
  return async (c, next) => {
    if (!URL.canParse(c.req.url)) throw new Fault("forbidden", { why: "the request names no host" });
    const url = new URL(c.req.url);
    if (token === null) {
      if (!loopbackNames.has(url.hostname)) throw new Fault("forbidden", { why: `this server is not ${url.hostname}` });
    } else if (url.searchParams.has("token") && c.req.method === "GET") {
      if (!isSame(url.searchParams.get("token") ?? "", token)) throw new Fault("unauthorized", {});
      setCookie(c, cookie, token, { httpOnly: true, sameSite: "Strict", path: "/", maxAge: 60 * 60 * 24 * 30 });
      url.searchParams.delete("token");
      return c.redirect(`${url.pathname}${url.search}`);
    } else if (!isSame(bearerOf(c.req.header("authorization")) ?? getCookie(c, cookie) ?? "", token)) {
      throw new Fault("unauthorized", {});
    }
    const origin = c.req.header("origin");
    if (origin !== undefined && hostOf(origin) !== url.host) {
      throw new Fault("forbidden", { why: `${origin} is another site` });
    }
    // Browsers say so themselves; looking at a folder, too, is nothing that another site's page may set off.
    if (c.req.header("sec-fetch-site") === "cross-site" && url.pathname.startsWith("/api/")) {
      throw new Fault("forbidden", { why: "another site asked for it" });
    }
    await next();
  };
}

function bearerOf(header: string | undefined): string | null {
  return header?.startsWith("Bearer ") ? header.slice("Bearer ".length) : null;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/** Compare without telling by time how much of it was right. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
