import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { buildDashboard } from "./build.ts";

const outdir = await mkdtemp(join(tmpdir(), "ralpher-web-"));
afterAll(() => rm(outdir, { recursive: true, force: true }));
const { files } = await buildDashboard(outdir);
const html = await readFile(join(outdir, "index.html"), "utf8");
const linked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");

test("[R-WEB-5] the page names only files of its own, by addresses that hold for every route", () => {
  expect(linked.length).toBeGreaterThan(3);
  for (const path of linked) {
    expect(path.startsWith("/assets/")).toBe(true);
    expect(existsSync(join(outdir, path))).toBe(true);
  }
});

test("the page runs under a policy without inline scripts or styles", () => {
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test("every file has its compressed copies, with the same content", async () => {
  const plain = files.filter((file) => !/\.(gz|br)$/.test(file));
  for (const file of plain) {
    expect(files).toContain(`${file}.gz`);
    expect(files).toContain(`${file}.br`);
    const content = await readFile(join(outdir, file));
    expect(gunzipSync(await readFile(join(outdir, `${file}.gz`))).equals(content)).toBe(true);
  }
});

test("everything but the page carries its content's hash in its name", () => {
  const assets = files.filter((file) => file !== "index.html" && !/\.(gz|br)$/.test(file));
  for (const file of assets) expect(file).toMatch(/^assets\/.+-[a-z0-9]{8}\.\w+$/);
});

test("the JavaScript of the first page stays within 130 kB of gzip", async () => {
  const scripts = linked.filter((path) => path.endsWith(".js"));
  const sizes = await Promise.all(
    scripts.map(async (path) => gzipSync(await readFile(join(outdir, path)), { level: 9 }).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(130_000);
});

test("[R-WEB-3] the JavaScript for a loop's page as the first one stays within 150 kB of gzip", async () => {
  const needed = new Set<string>();
  const add = async (path: string) => {
    if (needed.has(path)) return;
    needed.add(path);
    const imports = new Bun.Transpiler({ loader: "js" }).scanImports(await readFile(join(outdir, path), "utf8"));
    for (const each of imports) if (each.kind === "import-statement") await add(each.path.slice(1));
  };
  for (const path of linked) if (path.endsWith(".js")) await add(path.slice(1));
  for (const file of files) if (/^assets\/loop-page-\w+\.js$/.test(file)) await add(file);
  const sizes = await Promise.all(
    [...needed].map(async (path) => gzipSync(await readFile(join(outdir, path)), { level: 9 }).length),
  );
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
});

test("what few people open at once comes only when it is opened", () => {
  for (const page of ["loop-page", "create-page", "settings-page", "palette"]) {
    expect(files.some((file) => file.startsWith(`assets/${page}-`))).toBe(true);
    expect(html).not.toContain(page);
  }
});
