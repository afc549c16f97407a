import { appendFile, mkdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Fault } from "@ralpher/contract";
import { configFile, writeConfigText } from "./config/config-keys.ts";
import { readConfig } from "./config/read-config.ts";
import { exampleFile, exampleTask } from "./example-task.ts";
import { createFile } from "./files/write-aside.ts";
import { historyOf } from "./state/state-file.ts";
import { ifMissing, usable, usableRoot } from "./usable.ts";
import { fromRoot, requireWithin } from "./vault-path.ts";

/** @throws Fault `vault_unusable`, `config_invalid` when there is a config that cannot be used */
export async function initVault(directory: string): Promise<{ created: string[] }> {
  const around = await vaultAbove(directory);
  if (around !== null) {
    throw new Fault("vault_unusable", { path: directory, detail: `it lies in the vault ${around} already` });
  }
  await usableRoot(directory, mkdir(directory, { recursive: true }));
  const root = await usableRoot(directory, realpath(directory));
  const created: string[] = [];
  const folder = async (path: string) => {
    const made = await usable(path, mkdir(await requireWithin(root, path), { recursive: true }));
    if (made !== undefined) created.push(path);
  };
  const file = async (path: string, text: string) => {
    if (await usable(path, createFile(await requireWithin(root, path), text))) created.push(path);
  };
  await folder("/Control");
  await file(configFile, writeConfigText());
  const config = await readConfig(root);
  const { specs_folder, done_folder, rejected_folder, needs_action_folder, logs_folder } = config;
  for (const path of [specs_folder, done_folder, rejected_folder, needs_action_folder, logs_folder]) {
    await folder(fromRoot(path));
  }
  await folder(historyOf(config.state_file));
  await file(exampleFile, exampleTask);
  // What lay in a folder of that name before there was a vault is somebody's.
  const isOurs = created.includes(fromRoot(logs_folder)) || !created.includes(configFile);
  const logs = isOurs ? `${fromRoot(logs_folder)}/` : fromRoot(config.log_file);
  if ((await isInGit(root)) && (await ignoreInGit(root, logs))) created.push("/.gitignore");
  return { created };
}

/** Is the folder in a git repository? No git is run. */
export async function isInGit(root: string): Promise<boolean> {
  for (let at = root; ; at = dirname(at)) {
    if ((await stat(join(at, ".git")).catch(() => null)) !== null) return true;
    if (dirname(at) === at) return false;
  }
}

/** Whoever has a line about either has thought of it. */
async function ignoreInGit(root: string, logs: string): Promise<boolean> {
  const path = join(root, ".gitignore");
  const text = await usable("/.gitignore", readFile(path, "utf8").catch(ifMissing("")));
  if (/^[!/]*(\.state|Logs)(\/.*)?\s*$/m.test(text)) return false;
  const lineEnd = text === "" || text.endsWith("\n") ? "" : "\n";
  await usable("/.gitignore", appendFile(path, `${lineEnd}/.state/\n${logs}\n`));
  return true;
}

/** A vault that the folder lies in, and is not itself. */
async function vaultAbove(directory: string): Promise<string | null> {
  for (let at = resolve(directory); dirname(at) !== at; ) {
    at = dirname(at);
    if ((await stat(join(at, configFile)).catch(() => null))?.isFile()) return at;
  }
  return null;
}

/** The root of the vault that the folder is, or is in. @throws Fault `vault_unusable` */
export async function findVault(directory: string): Promise<string> {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const config = await stat(join(at, configFile)).catch(() => null);
    if (config?.isFile()) return await requireVault(at);
    // A vault need not have a config; but of a folder above, that alone says that it is one.
    if (dirname(at) === at) return await requireVault(resolve(directory));
  }
}

/** The vault's root. @throws Fault `vault_unusable` */
export async function requireVault(directory: string): Promise<string> {
  const unusable = (detail: string) => new Fault("vault_unusable", { path: directory, detail });
  const found = await usableRoot(directory, stat(directory).catch(ifMissing(null)));
  if (found === null) throw unusable("there is no such folder");
  if (!found.isDirectory()) throw unusable("it is no folder");
  const root = await usableRoot(directory, realpath(directory));
  const control = await stat(join(root, "Control")).catch(() => null);
  if (control?.isDirectory() !== true) throw unusable("it has no folder Control");
  return root;
}
