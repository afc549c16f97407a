import { readFile } from "node:fs/promises";
import { Fault, isFault, parse, Script } from "@ralpher/contract";
import { parse as parseYaml } from "yaml";

/**
 * Read a script from a YAML or JSON file.
 * @throws Fault `script_invalid`
 */
export async function readScript(path: string): Promise<Script> {
  try {
    // JSON is YAML too.
    return parse(Script, parseYaml(await readFile(path, "utf8")), "script");
  } catch (cause) {
    const detail = isFault(cause, "invalid_input")
      ? cause.data.issues.map((issue) => `${issue.path}: ${issue.message}`).join("; ")
      : String(cause);
    throw new Fault("script_invalid", { path, detail }, { cause });
  }
}
