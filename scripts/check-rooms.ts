// The directions between rooms (ARCHITECTURE.md): who may import whom, and that implementations are named in compose.ts
// only. The manifests must say the same.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dir, "..");

/** What a room's own code may import of other rooms. Tests may import what the manifest's devDependencies list. */
const allowed: Record<string, string[]> = {
  contract: [],
  git: ["contract"],
  trace: ["contract"],
  project: ["contract"],
  vault: ["contract"],
  store: ["contract"],
  agent: ["contract"],
  model: ["contract"],
  loop: ["contract"],
  server: ["contract"],
  web: ["contract", "server"],
  cli: ["contract", "git", "store", "agent", "model", "loop", "server", "trace", "project", "vault", "web"],
};
/** Of the server, the dashboard may only name its client. */
const clientOnly = "@ralpher/server/client";
/** Rooms that only the compositions may name: of everything, and of what `trc` needs to start quickly. */
const implementations = ["git", "store", "agent", "model", "loop", "server", "trace", "project", "vault"];
const compositions = ["src/compose.ts", "src/trc/compose.ts"];

const isTest = (path: string) => /\.(test|measure)\.tsx?$|\/conformance\.tsx?$|\.fixture\.tsx?$|\/test\//.test(path);
const complaints: string[] = [];

for (const [room, mayImport] of Object.entries(allowed)) {
  const folder = join(root, "packages", room);
  const manifest = await Bun.file(join(folder, "package.json")).json();
  const listed = (key: string) =>
    Object.keys(manifest[key] ?? {}).flatMap((name) => (name.startsWith("@ralpher/") ? [name.slice(9)] : []));
  for (const name of listed("dependencies")) {
    if (!mayImport.includes(name)) complaints.push(`packages/${room}/package.json: ${room} may not depend on ${name}`);
  }
  // In a .tsx file `<T>` begins an element.
  const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
  for await (const name of new Bun.Glob("{src,test}/**/*.{ts,tsx}").scan(folder)) {
    const path = join(folder, name);
    const text = await Bun.file(path).text();
    const imported = transpilers[name.endsWith("x") ? "tsx" : "ts"].scanImports(text).map((found) => found.path);
    const types = [...text.matchAll(/from "(@ralpher\/[^"]+)"/g)].map((match) => match[1] ?? "");
    for (const target of new Set([...imported, ...types])) {
      const other = /^@ralpher\/([a-z]+)/.exec(target)?.[1];
      if (other === undefined) continue;
      const may = isTest(path) ? [...mayImport, ...listed("devDependencies")] : mayImport;
      const where = relative(root, path);
      if (room === "web" && other === "server" && target !== clientOnly && !isTest(path)) {
        complaints.push(`${where}: web may only import ${clientOnly}`);
      }
      if (!may.includes(other)) complaints.push(`${where}: ${room} may not import ${other}`);
      if (room === "cli" && implementations.includes(other) && !isTest(path) && !compositions.includes(name)) {
        complaints.push(`${where}: only compose.ts names ${other}`);
      }
    }
  }
}
const rooms = [...new Bun.Glob("*").scanSync({ cwd: join(root, "packages"), onlyFiles: false })];
for (const room of rooms) {
  if (existsSync(join(root, "packages", room, "package.json")) && !(room in allowed))
    complaints.push(`${room} is no room`);
}
for (const complaint of complaints) console.log(complaint);
process.exit(complaints.length === 0 ? 0 : 1);
