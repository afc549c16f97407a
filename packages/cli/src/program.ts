/**
 * The single program's way in: it is `ralpher`, and `soda` or `trc` when it is called by that name (a link to it), or told
 * so by its first argument. Each loads only what it needs.
 */
import { basename } from "node:path";

const parts = new Set(["soda", "trc"]);
const called = basename(process.argv0);
const [, , first = ""] = process.argv;
const part = parts.has(called) ? called : parts.has(first) ? first : "ralpher";
if (part !== called && part === first) process.argv.splice(2, 1);

if (part === "soda") await import("./soda.ts");
else if (part === "trc") await import("./trc.ts");
else await import("./ralpher.ts");
