import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BunPlugin } from "bun";
import tailwind from "bun-plugin-tailwind";
import { minify } from "oxc-minify";
import { firstRequests } from "./src/feed/first-requests.ts";

const room = import.meta.dir;

/** In `loop.html`, the place of the loop's id; whoever serves it puts that there. */
const loopIdPlace = "%LOOP%";

/**
 * Build the dashboard into `outdir`, in the place of what was there; until it is whole, the old one stays. Everything
 * but the documents, `index.html` and `loop.html`, carries its content's hash in its name and may be kept for ever; each
 * file has a `.gz` and a `.br` beside it. In `loop.html` the server has to put the loop's id in the place of `%LOOP%`. Returns the paths, relative to `outdir`. Throws an AggregateError with what the bundler said when the
 * source does not build; `outdir` is then as it was.
 */
export async function buildDashboard(outdir: string): Promise<{ files: string[] }> {
  await mkdir(dirname(outdir), { recursive: true });
  const fresh = await mkdtemp(`${outdir}.`);
  try {
    const outputs = await bundle(fresh);
    const documents = await pages(fresh, outputs);
    await Promise.all([...documents].map(([name, text]) => writeFile(join(fresh, name), text)));
    const files = [...documents.keys(), ...outputs.all];
    const packed = await Promise.all(files.map((file) => pack(fresh, file)));
    await rm(outdir, { recursive: true, force: true });
    await rename(fresh, outdir);
    return { files: [...files, ...packed.flat()].sort() };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

interface Outputs {
  /** All files, relative to the outdir. */
  all: string[];
  /** The page's first script. */
  entry: string;
}

async function bundle(outdir: string): Promise<Outputs> {
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
    plugins: [tailwind, lexerOnly, plainIcons, noCookies],
  });
  // A classic script of its own: it must run before the first paint, and modules do not.
  const theme = await Bun.build({ ...shared, entrypoints: [join(room, "src/theme-boot.ts")], format: "iife" });
  const entry = app.outputs.find(({ kind }) => kind === "entry-point");
  if (entry === undefined) throw new Error("The bundle has no entry point");
  await Promise.all(app.outputs.filter(({ path }) => path.endsWith(".js")).map(({ path }) => tighten(path)));
  return {
    all: [...app.outputs, ...theme.outputs].map(({ path }) => relative(outdir, path)),
    entry: relative(outdir, entry.path),
  };
}

/**
 * Of marked only the reader is wanted, and its one file ends with two more things: what writes HTML, which no agent's
 * text ever becomes here, and an instance of everything, for whose sake a bundler keeps all of it.
 */
const lexerOnly: BunPlugin = {
  name: "lexer-only",
  setup(build) {
    build.onLoad({ filter: /[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const nameOf = (exported: string) => new RegExp(`[{,](\\w+) as ${exported}[,}]`).exec(source)?.[1];
      const lexer = nameOf("Lexer");
      const end = source.indexOf(`var ${nameOf("Renderer")}=class`);
      if (lexer === undefined || end < source.indexOf(`var ${lexer}=class`))
        throw new Error(`${path} is built otherwise`);
      return { contents: `${source.slice(0, end)}\nexport { ${lexer} as Lexer };`, loader: "js" };
    });
  },
};

/** What draws lucide's icons: theirs reads contexts, sizes and names of classes that nobody here uses. */
const plainIcons: BunPlugin = {
  name: "plain-icons",
  setup(build) {
    build.onLoad({ filter: /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]createLucideIcon\.mjs$/ }, () => ({
      contents: `
        import { createElement } from "react";
        const look = { viewBox: "0 0 24 24", width: 24, height: 24, fill: "none", stroke: "currentColor", strokeWidth: 2,
          strokeLinecap: "round", strokeLinejoin: "round", "aria-hidden": true };
        export default ({ node }) => (props) =>
          createElement("svg", { ...look, ...props }, ...node.map(([tag, shape]) => createElement(tag, shape)));`,
      loader: "js",
    }));
    // Each line of an icon has a key of six random letters, which do not pack.
    build.onLoad({ filter: /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/][\w-]+\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(/, key: "\w+"/g, ""),
      loader: "js",
    }));
  },
};

/** The API's client can write cookies, which a page's own requests never need. */
const noCookies: BunPlugin = {
  name: "no-cookies",
  setup(build) {
    build.onLoad({ filter: /[\\/]hono[\\/]dist[\\/]utils[\\/]cookie\.js$/ }, () => ({
      contents: `export const serialize = () => { throw new Error("the browser sends the cookies"); };`,
      loader: "js",
    }));
  },
};

/** Bun's own minifying leaves about a twentieth more than there need be. The name keeps the hash of what went in. */
async function tighten(path: string): Promise<void> {
  const { code, errors } = await minify(path, await readFile(path, "utf8"), { module: true });
  if (errors.length > 0) throw new AggregateError(errors, `${path} could not be minified`);
  await writeFile(path, code);
}

/** What a script imports before it can run, and what that imports. All in one go, so that the browser fetches it so. */
async function importsOf(outdir: string, script: string, found = new Set<string>()): Promise<Set<string>> {
  const source = await readFile(join(outdir, script), "utf8");
  for (const { kind, path } of new Bun.Transpiler({ loader: "js" }).scanImports(source)) {
    const imported = path.slice(1);
    if (kind !== "import-statement" || found.has(imported)) continue;
    found.add(imported);
    await importsOf(outdir, imported, found);
  }
  return found;
}

/** The documents by their names: `index.html` for any place, `loop.html` for a loop's page, which names what that needs. */
async function pages(outdir: string, { all, entry }: Outputs): Promise<Map<string, string>> {
  const find = (pattern: RegExp): string => {
    const path = all.find((candidate) => pattern.test(candidate));
    if (path === undefined) throw new Error(`The bundle has no ${pattern}`);
    return `/${path}`;
  };
  const loopPage = find(/loop-page-.*\.js$/).slice(1);
  const always = await importsOf(outdir, entry);
  const forLoop = await importsOf(outdir, loopPage, new Set([...always, entry]));
  forLoop.delete(entry);
  const document = (await readFile(join(room, "src/index.html"), "utf8"))
    .replace("%ICON%", find(/icon-quiet-.*\.svg$/))
    .replace("%THEME%", find(/theme-boot-.*\.js$/))
    .replace("%STYLE%", find(/main-.*\.css$/))
    .replace("%SCRIPT%", `/${entry}`);
  const modules = (paths: Iterable<string>) =>
    Array.from(paths, (path) => `<link rel="modulepreload" href="/${path}" />`);
  const data = firstRequests(loopIdPlace).map(
    (path) => `<link rel="preload" as="fetch" crossorigin href="${path.replaceAll("&", "&amp;")}" />`,
  );
  const withLinks = (links: string[]) => document.replace("%PRELOAD%", links.join("\n    "));
  return new Map([
    ["index.html", withLinks(modules(always))],
    ["loop.html", withLinks([...data, ...modules([...forLoop, loopPage])])],
  ]);
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
