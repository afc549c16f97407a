// The floor of `start` and `api`: the least a Bun process can do to answer over HTTP, with the bytes of a file if given.
import { readFileSync } from "node:fs";

const [port, file] = process.argv.slice(2);
const body = file === undefined ? "ok" : readFileSync(file);
Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: () => new Response(body) });
