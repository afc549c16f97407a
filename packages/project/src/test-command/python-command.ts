import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Folder, Words } from "./find-test-command.ts";

const manifests = ["pyproject.toml", "pytest.ini", "setup.cfg", "setup.py", "tox.ini"];
const requirements = ["requirements.txt", "requirements-dev.txt", "dev-requirements.txt"];

/** pytest, which runs tests of both kinds, where it is to be had; else what every Python has. */
export async function findPythonCommand(folder: Folder): Promise<Words | null> {
  const { files, has, tests } = folder;
  const isPython = manifests.some((name) => files.has(name)) || tests.some((path) => path.endsWith(".py"));
  if (!isPython) return null;
  if (files.has("uv.lock") && has("uv")) return ["uv", "run", "pytest"];
  if (files.has("poetry.lock") && has("poetry")) return ["poetry", "run", "pytest"];
  for (const own of [".venv/bin/pytest", "venv/bin/pytest"]) if (await isThere(folder, own)) return [own];
  if (has("pytest")) return ["pytest"];
  const python = has("python3") || !has("python") ? "python3" : "python";
  if (await wantsPytest(folder)) return [python, "-m", "pytest"];
  // Test files that are in no package are not found from above.
  const isApart = tests.some((path) => /^tests\/test[^/]*\.py$/.test(path)) && !tests.includes("tests/__init__.py");
  return isApart ? [python, "-m", "unittest", "discover", "-s", "tests"] : [python, "-m", "unittest"];
}

async function wantsPytest({ read }: Folder): Promise<boolean> {
  const texts = await Promise.all([...manifests, ...requirements].map(read));
  return texts.some((text) => text.includes("pytest"));
}

async function isThere({ directory, folders }: Folder, path: string): Promise<boolean> {
  if (!folders.has(path.split("/")[0] ?? "")) return false;
  return await access(join(directory, path)).then(
    () => true,
    () => false,
  );
}
