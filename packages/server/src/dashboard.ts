import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@ralpher/contract";
import type { Handler } from "hono";

/**
 * Serve the built dashboard: files whose names carry their hash are kept by browsers for ever, the page itself is asked
 * for each time. Any other path is a place inside the dashboard and gets the page. Compressed copies lie beside the
 * files.
 */
export function serveDashboard(folder: string): Handler {
  const files = new Set(readdirSync(folder, { recursive: true }).map((name) => String(name)));
  return (c) => {
    const asked = c.req.path.slice(1);
    const isFile = files.has(asked);
    if (!isFile && asked.includes(".")) throw new Fault("not_found", { what: `file ${c.req.path}` });
    const name = isFile ? asked : "index.html";
    const [encoding, ending] = encodingFor(c.req.header("accept-encoding") ?? "", name, files);
    const file = Bun.file(join(folder, name + ending));
    return new Response(file, {
      headers: {
        "content-type": Bun.file(name).type,
        "cache-control":
          name === "index.html" || !hashed.test(name) ? "no-cache" : "public, max-age=31536000, immutable",
        vary: "accept-encoding",
        "x-content-type-options": "nosniff",
        ...(encoding === null ? {} : { "content-encoding": encoding }),
      },
    });
  };
}

const hashed = /-[a-z0-9]{8,}\.[a-z0-9]+$/;

function encodingFor(accepted: string, name: string, files: Set<string>): ["br" | "gzip" | null, string] {
  if (/\bbr\b/.test(accepted) && files.has(`${name}.br`)) return ["br", ".br"];
  if (/\bgzip\b/.test(accepted) && files.has(`${name}.gz`)) return ["gzip", ".gz"];
  return [null, ""];
}
