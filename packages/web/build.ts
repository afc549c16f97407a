import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwind from "bun-plugin-tailwind";

const room = import.meta.dir;

/**
 * Build the dashboard into `outdir`, in the place of what was there; until it is whole, the old one stays. Everything
 * but `index.html` carries its content's hash in its name and may be kept for ever; each file has a `.gz` and a `.br`
 * beside it. Returns the paths, relative to `outdir`. Throws an AggregateError with what the bundler said when the
 * source does not build; `outdir` is then as it was.
 */
export async function buildDashboard(outdir: string): Promise<{ files: string[] }> {
  await mkdir(dirname(outdir), { recursive: true });
  const fresh = await mkdtemp(`${outdir}.`);
  try {
    const outputs = await bundle(fresh);
    await writeFile(join(fresh, "index.html"), await page(outputs));
    const files = ["index.html", ...outputs];
    const packed = await Promise.all(files.map((file) => pack(fresh, file)));
    await rm(outdir, { recursive: true, force: true });
    await rename(fresh, outdir);
    return { files: [...files, ...packed.flat()].sort() };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function bundle(outdir: string): Promise<string[]> {
  const name = "assets/[name]-[hash].[ext]";
  const shared = {
    outdir,
    publicPath: "/",
    minify: true,
    target: "browser",
    naming: { entry: name, chunk: name, asset: name },
    define: { "process.env.NODE_ENV": '"production"' },
  } as const;
  const app = await Bun.build({
    ...shared,
    entrypoints: [join(room, "src/main.tsx")],
    splitting: true,
    plugins: [tailwind],
  });
  // A classic script of its own: it must run before the first paint, and modules do not.
  const theme = await Bun.build({ ...shared, entrypoints: [join(room, "src/theme-boot.ts")], format: "iife" });
  return [...app.outputs, ...theme.outputs].map((output) => relative(outdir, output.path));
}

async function page(outputs: string[]): Promise<string> {
  const find = (pattern: RegExp): string => {
    const path = outputs.find((candidate) => pattern.test(candidate));
    if (path === undefined) throw new Error(`The bundle has no ${pattern}`);
    return `/${path}`;
  };
  return (await readFile(join(room, "src/index.html"), "utf8"))
    .replace("%ICON%", find(/icon-quiet-.*\.svg$/))
    .replace("%THEME%", find(/theme-boot-.*\.js$/))
    .replace("%STYLE%", find(/main-.*\.css$/))
    .replace("%SCRIPT%", find(/main-.*\.js$/));
}

async function pack(outdir: string, file: string): Promise<string[]> {
  const path = join(outdir, file);
  const content = await readFile(path);
  const zipped = await promisify(gzip)(content, { level: 9 });
  const brotli = await promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  await Promise.all([writeFile(`${path}.gz`, zipped), writeFile(`${path}.br`, brotli)]);
  return [`${file}.gz`, `${file}.br`];
}

if (import.meta.main) {
  const outdir = resolve(process.argv[2] ?? join(room, "dist"));
  const { files } = await buildDashboard(outdir);
  for (const file of files.filter((name) => name.endsWith(".gz"))) {
    console.log(`${String(Bun.file(join(outdir, file)).size).padStart(8)}  ${file}`);
  }
}
