import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { embedded } from "./embedded.ts";
import { logger } from "./log.ts";

/**
 * The folder with the built dashboard; it is built first when the sources have changed since. The build runs in a
 * process of its own, so that the server does not carry the bundler's memory. Null when it cannot be built.
 */
export async function ensureDashboard(): Promise<string | null> {
  if (embedded !== null) return join(embedded, "dashboard");
  try {
    return await buildWhenStale();
  } catch (error) {
    logger("serve").error("The dashboard could not be built; the API works without it: {error}", { error });
    return null;
  }
}

async function buildWhenStale(): Promise<string | null> {
  const build = Bun.resolveSync("@ralpher/web/build", import.meta.dir);
  const web = dirname(build);
  const dist = join(web, "dist");
  const stamp = join(dist, ".stamp");
  const wanted = stampOf(web);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return dist;
  logger("serve").info("Building the dashboard (once per change)…");
  const building = Bun.spawn([process.execPath, build, dist], { stdout: "ignore", stderr: "pipe" });
  const errors = await new Response(building.stderr).text();
  if ((await building.exited) !== 0) throw new Error(errors);
  writeFileSync(stamp, wanted);
  return dist;
}

/** Changes whenever a file of the dashboard, of the contract that it folds with, or of the API's client does. */
function stampOf(web: string): string {
  const hash = createHash("sha256");
  const roots = [
    web,
    join(web, "..", "contract"),
    join(web, "..", "server/src/client.ts"),
    join(web, "..", "..", "bun.lock"),
  ];
  for (const path of roots.flatMap(sourceFiles)) {
    const { mtimeMs, size } = lstatSync(path);
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex");
}

function sourceFiles(path: string): string[] {
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "dist" && !name.startsWith("."))
    .flatMap(({ name }) => sourceFiles(join(path, name)))
    .sort();
}
