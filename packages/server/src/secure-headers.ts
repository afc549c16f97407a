import type { MiddlewareHandler } from "hono";

/** For answers that are no page: nothing in them may run, wherever they end up. */
const nothing = "default-src 'none'; frame-ancestors 'none'";

/** What every answer says to browsers. A page brings its own policy along. */
export const secureHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("x-frame-options", "DENY");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("cross-origin-opener-policy", "same-origin");
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", nothing);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
};
