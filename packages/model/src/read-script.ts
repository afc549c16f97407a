import { readFile } from "node:fs/promises";
import { Fault, Script } from "@ralpher/contract";
import { type Document, isMap, isNode, isPair, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";

/**
 * Read a script from a YAML or JSON file.
 * @throws Fault `script_invalid`: the file cannot be read, is not YAML, or is not a script; names line and field
 */
export async function readScript(path: string): Promise<Script> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    const detail = code === "ENOENT" ? "there is no such file" : `it cannot be read (${String(code ?? cause)})`;
    throw new Fault("script_invalid", { path, detail }, { cause });
  }
  return parseScript(text, path);
}

// JSON is YAML too.
function parseScript(text: string, path: string): Script {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const { line } = lines.linePos(broken.pos[0]);
    throw new Fault("script_invalid", { path, detail: `line ${line}: ${broken.message}` }, { cause: broken });
  }
  const result = Script.safeParse(plainValue(document, path));
  if (result.success) return result.data;
  const detail = result.error.issues.map((issue) => describeIssue(issue, document, lines)).join("; ");
  throw new Fault("script_invalid", { path, detail }, { cause: result.error });
}

function plainValue(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    // Aliases that multiply beyond all measure are refused only here.
    throw new Fault("script_invalid", { path, detail: "its aliases cannot be resolved" }, { cause });
  }
}

function describeIssue(issue: z.core.$ZodIssue, document: Document.Parsed, lines: LineCounter): string {
  const field = issue.path.map(String).join(".");
  const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const line = lineOf(unknown === undefined ? issue.path : [...issue.path, unknown], document, lines);
  return `line ${line}: ${field === "" ? "" : `${field}: `}${issue.message}`;
}

/** The line of the field at a path, or of the nearest thing around it when the field is missing. */
function lineOf(path: PropertyKey[], document: Document.Parsed, lines: LineCounter): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const offset = offsetOf(path.slice(0, depth), document);
    if (offset !== undefined) return lines.linePos(offset).line;
  }
  return 1;
}

function offsetOf(path: PropertyKey[], document: Document.Parsed): number | undefined {
  const key = path.at(-1);
  const parent = document.getIn(path.slice(0, -1), true);
  // A field begins at its name; its value may begin lines later.
  if (isMap(parent)) {
    const pair = parent.items.find((item) => isPair(item) && isNode(item.key) && String(item.key) === String(key));
    if (pair !== undefined && isNode(pair.key)) return pair.key.range?.[0];
  }
  const node = document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}
