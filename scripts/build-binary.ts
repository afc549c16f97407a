/**
 * Builds one program with everything in it: Bun, the code, the dashboard, and what agents load of ours. Run it as
 * `npm run build [-- --target bun-linux-arm64 --outfile dist/ralpher-arm64]`. Prints the path and the size.
 */
import { cp, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildDashboard } from "../packages/web/build.ts";

const root = join(import.meta.dir, "..");
const { values } = parseArgs({
  options: { outfile: { type: "string", default: join(root, "dist", "ralpher") }, target: { type: "string" } },
});
const outfile = resolve(values.outfile);

// The folder's name is how the program finds it again, see packages/cli/src/embedded.ts.
const staging = await mkdtemp(join(tmpdir(), "ralpher-build-"));
const embedded = join(staging, "embedded");
try {
  await mkdir(embedded);
  await buildDashboard(join(staging, "dashboard"));
  await cp(join(staging, "dashboard"), join(embedded, "dashboard"), { recursive: true });
  const plugin = join(root, "packages/agent/src/backends/opencode/guard-plugin.ts");
  await Bun.build({ entrypoints: [plugin], target: "bun", outdir: embedded, naming: "[name].js" });
  await mkdir(dirname(outfile), { recursive: true });
  await Bun.build({
    entrypoints: [join(root, "packages/cli/src/program.ts")],
    minify: { whitespace: true, syntax: true },
    define: { "process.env.NODE_ENV": '"production"' },
    compile: {
      outfile,
      assets: [embedded],
      // A stranger's project must not configure us.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(values.target === undefined ? {} : { target: values.target as Bun.Build.CompileTarget }),
    },
  });
} finally {
  await rm(staging, { recursive: true, force: true });
}
const { size } = await stat(outfile);
console.log(`${relative(process.cwd(), outfile) || basename(outfile)}  ${Math.round(size / 1e6)} MB`);
