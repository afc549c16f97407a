// Runs every test and ends with one line that counts them. `npm test -- PATTERN…` runs only matching files.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "./browser.ts";

const folder = await mkdtemp(join(tmpdir(), "ralpher-test-"));
const report = join(folder, "junit.xml");
const root = join(import.meta.dir, "..");

const tests = Bun.spawn(
  [
    process.execPath,
    "test",
    "--parallel=2",
    "--timeout=120000",
    "--reporter=junit",
    `--reporter-outfile=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ["ignore", "inherit", "inherit"] },
);
process.once("SIGINT", () => tests.kill("SIGINT"));
process.once("SIGTERM", () => tests.kill("SIGTERM"));
const exitCode = await tests.exited;

const cases = [
  ...(
    await Bun.file(report)
      .text()
      .catch(() => "")
  ).matchAll(/<testcase ([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g),
];
const nameOf = (attributes = "") => /\bname="([^"]*)"/.exec(attributes)?.[1] ?? "?";
const has = (mark: string) => cases.filter(([, , , inside]) => inside?.includes(mark) === true);
const failed = has("<failure").length + has("<error").length;
const skipped = has("<skipped");
const passed = cases.length - failed - skipped.length;
await rm(folder, { recursive: true, force: true });

if (skipped.length > 0) {
  console.log(
    findBrowser() === null
      ? "\nLeft out, because no Chromium was found (install it, or set CHROMIUM_PATH) or because of what they need (root on Linux, docker):"
      : "\nLeft out, because of what they need (root on Linux, docker) or because they were not chosen:",
  );
  for (const [, attributes] of skipped) console.log(`  ${nameOf(attributes)}`);
}
for (const [, attributes] of [...has("<failure"), ...has("<error")]) console.log(`failed: ${nameOf(attributes)}`);
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`);
process.exit(exitCode !== 0 ? exitCode : cases.length === 0 ? 1 : 0);
