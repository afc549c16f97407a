#!/usr/bin/env node
// Runs Bun with the given arguments on a machine that may have nothing but Node, npm and git: installs what is missing
// first, once, and says so. Plain JavaScript, no dependencies: it runs before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const bun = join(modules, ".bin", "bun");
const stampFile = join(modules, ".installed");

const lock = readFileSync(join(root, "bun.lock"));
const stamp = createHash("sha256").update(lock).update(process.platform).update(process.arch).digest("hex");
const isInstalled = existsSync(bun) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;

// bin/ralpher asks only when bun.lock is newer than the stamp.
if (isInstalled) writeFileSync(stampFile, stamp);
else {
  const pinned = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies.bun;
  console.error(`Installing what Ralpher needs into ${modules} (once)…`);
  const install = ["install", "--frozen-lockfile"];
  const here = spawnSync("bun", ["--version"], { encoding: "utf8" });
  const done =
    here.status === 0 && isNewEnough(here.stdout)
      ? spawnSync("bun", install, { cwd: root, stdio: ["ignore", "ignore", "inherit"] })
      : spawnSync("npx", ["--yes", `bun@${pinned}`, ...install], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (done.error !== undefined || done.status !== 0 || !existsSync(bun)) {
    const why = done.error?.message ?? `the installer ended with ${done.status ?? done.signal}`;
    console.error(`Installing failed: ${why}. Check that npm reaches its registry (npm ping), then try again.`);
    process.exit(3);
  }
  writeFileSync(stampFile, stamp);
  console.error("Installed.");
}

if (process.argv.length > 2) {
  // npm puts this checkout's own tools on PATH; agents are to be found where the user has them.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== join(modules, ".bin"));
  const env = { ...process.env, PATH: path.join(delimiter) };
  const child = spawn(bun, process.argv.slice(2), { stdio: "inherit", env });
  // A terminal sends Ctrl+C to both of us; other senders know only this process.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    console.error(`Bun could not be started: ${error.message}`);
    process.exit(3);
  });
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

/** Bun 1.4 or newer reads this lock file. */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.trim().split(".").map(Number);
  return major > 1 || (major === 1 && minor >= 4);
}
