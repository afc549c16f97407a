import { Fault } from "@ralpher/contract";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

const megabyte = 1024 * 1024;
/** Prompts are far smaller. In bytes. */
const largestBody = 4 * megabyte;
/** A packed bundle is taken in piece by piece. In bytes. */
const largestBundle = 512 * megabyte;

const limit = bodyLimit({ maxSize: largestBody, onError: () => refuse("request", largestBody) });

/** Larger requests are refused. A bundle of unknown length is counted as it is unpacked. */
export const limitBody: MiddlewareHandler = async (c, next) => {
  if (c.req.path !== "/api/loops/import" || !isBundle(c.req.header("content-type"))) return await limit(c, next);
  if (Number(c.req.header("content-length") ?? 0) > largestBundle) refuse("bundle", largestBundle);
  return await next();
};

function refuse(what: string, bytes: number): never {
  throw new Fault("too_large", { what, limit: `${bytes / megabyte} MB` });
}

/** Is the body of this type a loop's bundle? */
export function isBundle(contentType: string | undefined): boolean {
  return /^application\/(x-)?gzip\b/.test(contentType ?? "");
}
