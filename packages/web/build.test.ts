import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { buildDashboard } from "./build.ts";
import { firstRequests } from "./src/feed/first-requests.ts";

const outdir = await mkdtemp(join(tmpdir(), "ralpher-web-"));
afterAll(() => rm(outdir, { recursive: true, force: true }));
const { files } = await buildDashboard(outdir);
const html = await readFile(join(outdir, "index.html"), "utf8");
const loopHtml = await readFile(join(outdir, "loop.html"), "utf8");
const linksOf = (text: string) => [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");
const linked = linksOf(html);

test("[R-WEB-5] the page names only files of its own, by addresses that hold for every route", () => {
  expect(linked.length).toBeGreaterThan(3);
  for (const path of linked) {
    expect(path.startsWith("/assets/")).toBe(true);
    expect(existsSync(join(outdir, path))).toBe(true);
  }
});

test("the page runs under a policy without inline scripts or styles", () => {
  for (const document of [html, loopHtml]) {
    expect(document).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(document).not.toMatch(/<style|\sstyle=|\son\w+=/);
  }
});

test("[R-WEB-3] the document of a loop's page names what that page needs besides: its code, and the loop's data", () => {
  const more = linksOf(loopHtml).filter((path) => !linked.includes(path));
  const [data, code] = [more.filter((path) => path.startsWith("/api/")), more.filter((path) => path.endsWith(".js"))];
  expect(data).toEqual(firstRequests("%LOOP%").map((path) => path.replace("&", "&amp;")));
  expect(code.some((path) => path.startsWith("/assets/loop-page-"))).toBe(true);
  expect(code.length + data.length).toBe(more.length);
  for (const path of code) expect(existsSync(join(outdir, path))).toBe(true);
});

test("the style sheet is the same wherever the build was started", async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), "ralpher-web-"));
  await Bun.write(join(elsewhere, "page.html"), '<p class="grid-cols-12 rotate-180">');
  const build = Bun.spawn([process.execPath, join(import.meta.dir, "build.ts"), join(elsewhere, "dist")], {
    cwd: elsewhere,
    stdout: "ignore",
  });
  expect(await build.exited).toBe(0);
  const [sheet = ""] = await Array.fromAsync(new Bun.Glob("dist/assets/*.css").scan(elsewhere));
  expect(await readFile(join(elsewhere, sheet), "utf8")).not.toContain("grid-cols-12");
  await rm(elsewhere, { recursive: true, force: true });
}, 60_000);

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
  const assets = files.filter((file) => !/\.html$/.test(file) && !/\.(gz|br)$/.test(file));
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
