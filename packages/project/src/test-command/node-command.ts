import type { Folder, Words } from "./find-test-command.ts";

/** Names that Bun's runner takes for tests. */
const bunTest = /[._](test|spec)\.[cm]?[jt]sx?$/;

/** By package.json's script, in the way its lock file says; else Bun's own runner, when the project is Bun's. */
export async function findNodeCommand(folder: Folder): Promise<Words | null> {
  const { files, has } = folder;
  const { script, manager } = readManifest(await folder.read("package.json"));
  // What `npm init` writes fails on purpose.
  if (script.trim() !== "" && !script.includes("no test specified")) {
    const by = managerOf(files, manager);
    return by === "bun" ? ["bun", "run", "test"] : by === "npm" ? ["npm", "test", "--silent"] : [by, "test"];
  }
  const isBun = files.has("package.json") ? isLockedByBun(files) : has("bun") && !isDeno(files);
  return isBun && folder.tests.some((path) => bunTest.test(path)) ? ["bun", "test"] : null;
}

const isLockedByBun = (files: ReadonlySet<string>) => files.has("bun.lock") || files.has("bun.lockb");
const isDeno = (files: ReadonlySet<string>) => files.has("deno.json") || files.has("deno.jsonc");

function managerOf(files: ReadonlySet<string>, declared: string): "bun" | "pnpm" | "yarn" | "npm" {
  if (isLockedByBun(files)) return "bun";
  if (files.has("pnpm-lock.yaml")) return "pnpm";
  if (files.has("yarn.lock")) return "yarn";
  if (files.has("package-lock.json")) return "npm";
  const name = declared.split("@")[0];
  return name === "bun" || name === "pnpm" || name === "yarn" ? name : "npm";
}

/** What of a package.json says how tests are run; what cannot be read is as if it were not there. */
function readManifest(text: string): { script: string; manager: string } {
  const { scripts, packageManager } = fieldsOf(jsonOf(text));
  const { test } = fieldsOf(scripts);
  return {
    script: typeof test === "string" ? test : "",
    manager: typeof packageManager === "string" ? packageManager : "",
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
