import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { Fault, Loop, LoopImport, parseJson, toLoop } from "@ralpher/contract";
import type { Context, Next } from "hono";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { isBundle } from "../body-limit.ts";
import { streamBody } from "../stream-body.ts";
import { faults, idParam, json, loopIdOf } from "./shapes.ts";

const binary = z.string().openapi({ format: "binary" });
const packed = "application/gzip";

const exported = createRoute({
  method: "get",
  path: "/api/loops/{id}/export",
  summary: "A loop as a file: as it is, or with all its history and the conversations of its agents",
  description: "`bundle=true`: JSON lines packed with gzip, however large the history is.",
  request: { params: idParam, query: z.object({ bundle: z.stringbool().default(false) }) },
  responses: {
    200: {
      description: "the file",
      content: { "application/json": { schema: Loop }, [packed]: { schema: binary } },
    },
    ...faults(400, 404),
  },
});

const imported = createRoute({
  method: "post",
  path: "/api/loops/import",
  summary: "Take in a loop that was exported: it is at rest, and keeps its id when that is free here",
  middleware: requireJson,
  request: {
    body: {
      // A bundle is no JSON, and one of the two must be there; which is checked below.
      required: false,
      content: { "application/json": { schema: LoopImport }, [packed]: { schema: binary } },
    },
  },
  responses: { 201: json(Loop, "the loop"), ...faults(400) },
});

/** What cannot be read is told with its place, before the form of what it says is looked at. */
async function requireJson(c: Context, next: Next): Promise<void> {
  if (c.req.header("content-type")?.includes("json")) {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      throw wrong("file", "(root)", `it is packed with gzip; send it as ${packed}`);
    }
    parseJson(new TextDecoder().decode(bytes), "file");
  }
  await next();
}

const wrong = (what: string, path: string, message: string) =>
  new Fault("invalid_input", { what, issues: [{ path, message }] });

export function bundleRoutes({ hub }: ApiParts) {
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(exported, async (c) => {
      const view = await hub.require(loopIdOf(c.req.valid("param").id));
      if (!c.req.valid("query").bundle) {
        c.header("content-disposition", attachment(`${view.config.name}.ralpher.json`));
        return c.json(toLoop(view), 200);
      }
      const headers = {
        "content-type": packed,
        "content-disposition": attachment(`${view.config.name}.ralpher.jsonl.gz`),
      };
      return new Response(streamBody(hub.exportBundle(view.id)), { headers }) as never;
    })
    .openapi(imported, async (c) => {
      const type = c.req.header("content-type");
      if (isBundle(type)) {
        return c.json(toLoop(await hub.importLoop(c.req.raw.body ?? new Blob([]).stream())), 201);
      }
      if (!type?.includes("json")) {
        const message = `send a loop as application/json, or a bundle as ${packed}`;
        throw wrong("request", "content-type", message);
      }
      return c.json(toLoop(await hub.importLoop(c.req.valid("json") as LoopImport)), 201);
    });
}

/** A file's name in a header: letters of all alphabets for those who can read them, a plain one for the others. */
function attachment(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/-*(\.)\.*/g, "$1");
  const plain = safe.replace(/[^\x20-\x7e]/g, "_");
  const encoded = encodeURIComponent(safe.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
