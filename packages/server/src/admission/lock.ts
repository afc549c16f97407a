import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Fault } from "@ralpher/contract";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { connectionOf } from "../connection.ts";
import { createAttempts } from "./attempts.ts";

/** How long a browser stays let in, in seconds. */
const stay = 60 * 60 * 24 * 30;

/** The server's lock, opened by its token: sent along by programs, given once by browsers, which then have a cookie. */
export interface Lock {
  /** @throws Fault `unauthorized`, `too_many_attempts` */
  requireEntered(c: Context): void;
  /** The same as a question; a wrong token counts here, too. */
  hasEntered(c: Context): boolean;
  /** Is this the token? Wrong ones are counted. @throws Fault `too_many_attempts` */
  requireToken(c: Context, given: string): void;
  /** The same as a question; no once there were too many wrong ones. */
  tries(c: Context, given: string): boolean;
  /** Give the browser its cookie, or take it away. */
  letIn(c: Context): void;
  letOut(c: Context): void;
}

/**
 * The cookie holds no token but a proof of it that ends by itself: cookies also go to whatever else listens on the same
 * host. Its name is the token's own, for two servers of one host share their cookies.
 */
export function createLock(token: string): Lock {
  const attempts = createAttempts();
  const proofOf = (text: string) => createHmac("sha256", token).update(text).digest("base64url");
  const name = `ralpher_${createHash("sha256").update(`name ${token}`).digest("hex").slice(0, 8)}`;
  const attributes = (c: Context) => ({ httpOnly: true, sameSite: "Strict", path: "/", secure: isSecure(c) }) as const;

  const hasCookie = (c: Context): boolean => {
    const [until = "", proof = ""] = (getCookie(c, name) ?? "").split(".");
    return isSame(proof, proofOf(`until ${until}`)) && Number(until) > Date.now() / 1000;
  };
  const requireToken = (c: Context, given: string): void => {
    const { address } = connectionOf(c);
    attempts.requireLeft(address);
    if (isSame(given, token)) return;
    attempts.count(address);
    throw new Fault("unauthorized", {});
  };
  const tries = (c: Context, given: string): boolean => {
    try {
      requireToken(c, given);
      return true;
    } catch {
      return false;
    }
  };

  return {
    requireToken,
    tries,
    hasEntered(c) {
      const bearer = bearerOf(c);
      return bearer === null ? hasCookie(c) : tries(c, bearer);
    },
    requireEntered(c) {
      const bearer = bearerOf(c);
      if (bearer !== null) requireToken(c, bearer);
      else if (!hasCookie(c)) throw new Fault("unauthorized", {});
    },
    letIn(c) {
      const until = String(Math.floor(Date.now() / 1000) + stay);
      setCookie(c, name, `${until}.${proofOf(`until ${until}`)}`, { ...attributes(c), maxAge: stay });
    },
    letOut(c) {
      deleteCookie(c, name, attributes(c));
    },
  };
}

/**
 * Did the browser come over TLS, which only a proxy in front of us can end? Whoever lies about it does himself no good:
 * his own cookie is then kept from plain HTTP, and nothing else hangs on the answer.
 */
function isSecure(c: Context): boolean {
  return c.req.header("x-forwarded-proto") === "https" || (c.req.header("origin") ?? "").startsWith("https:");
}

function bearerOf(c: Context): string | null {
  return /^Bearer +(.+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

/** Compare without telling by time how much of it was right. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
