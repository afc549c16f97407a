import { join } from "node:path";
import { Fault } from "@ralpher/contract";
import type { Handler } from "hono";

/**
 * Serve the built dashboard: files whose names carry their hash are kept by browsers for ever, the page itself is asked
 * for each time. Any other path is a place inside the dashboard and gets the page. Compressed copies lie beside the
 * files. Files are looked up as they are asked for, for the dashboard may be built anew under a running server. Requests
 * wait while it is still being built.
 */
export function serveDashboard(built: Promise<string | null>): Handler {
  return async (c) => {
    const folder = await built;
    if (folder === null) throw new Fault("not_found", { what: "dashboard; the API is at /api" });
    const asked = c.req.path.slice(1);
    const isFile = safeName.test(asked) && (await Bun.file(join(folder, asked)).exists());
    if (!isFile && asked.includes(".")) throw new Fault("not_found", { what: `file ${c.req.path}` });
    const id = loopPath.exec(c.req.path)?.[1];
    const loopPage = id === undefined || isFile ? null : await loopDocument(folder, id);
    const name = isFile ? asked : "index.html";
    const [file, encoding] =
      loopPage === null
        ? await choose(join(folder, name), c.req.header("accept-encoding") ?? "")
        : ([loopPage, null] as const);
    return new Response(file, {
      headers: {
        "content-type": Bun.file(name).type,
        "cache-control": hashed.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
        "content-security-policy": policy,
        vary: "accept-encoding",
        ...(encoding === null ? {} : { "content-encoding": encoding }),
      },
    });
  };
}

/** A loop's page, or one of its tabs. */
const loopPath = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/;

/** The document for a loop's page: it names the loop's data, so that the browser asks for that at once. */
async function loopDocument(folder: string, id: string): Promise<string | null> {
  const file = Bun.file(join(folder, "loop.html"));
  return (await file.exists()) ? (await file.text()).replaceAll("%LOOP%", id) : null;
}

/** Names of folders and files, none of which begins with a dot: no way out of the folder. */
const safeName = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;
const hashed = /-[a-z0-9]{8,}\.[a-z0-9]+$/;

/** Everything the dashboard needs comes from here; nothing may come from elsewhere, and nobody may frame it. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The smallest copy of the file that the client reads. */
async function choose(path: string, accepted: string): Promise<[Bun.BunFile, "br" | "gzip" | null]> {
  for (const [encoding, ending] of [
    ["br", ".br"],
    ["gzip", ".gz"],
  ] as const) {
    if (!new RegExp(`\\b${encoding}\\b`).test(accepted)) continue;
    const file = Bun.file(path + ending);
    if (await file.exists()) return [file, encoding];
  }
  return [Bun.file(path), null];
}
