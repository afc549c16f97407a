import { Fault, type FaultData, TaskConfig } from "@ralpher/contract";
import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { spellings } from "../control/stop-hook.ts";
import { readText } from "../files/read-text.ts";
import { usable } from "../usable.ts";
import { findWithin, fromRoot, isWithin, requireWithin, whyNotWithin } from "../vault-path.ts";
import { configFile, topKey } from "./config-keys.ts";
import { nearest } from "./nearest.ts";

type Issue = FaultData["config_invalid"]["issues"][number];
type Path = readonly PropertyKey[];

/** @throws Fault `config_invalid`, with every wrong place in their order */
export async function readConfig(root: string): Promise<TaskConfig> {
  const file = await requireWithin(root, configFile);
  const found = await usable(configFile, readText(file));
  if (found === null) return TaskConfig.parse({});
  if ("why" in found) throw invalid([{ path: "", message: found.why }]);
  const config = parseConfig(found.text);
  const issues = await Promise.all(
    pathKeys.map(async (key): Promise<Issue[]> => {
      if ((await findWithin(root, config.value[key])) !== null) return [];
      const why = whyNotWithin(root, config.value[key]) ?? "it leads out of the vault, by a symbolic link";
      return [{ path: key, message: why, ...config.placeOf([topKey, key]) }];
    }),
  );
  if (issues.flat().length > 0) throw invalid(issues.flat());
  return config.value;
}

const pathKeys = [
  "state_file",
  "stop_hook_file",
  "reinject_prompt_file",
  "log_file",
  "specs_folder",
  "done_folder",
  "rejected_folder",
  "needs_action_folder",
  "logs_folder",
] as const satisfies (keyof TaskConfig)[];

const folderKeys = pathKeys.filter((key) => key.endsWith("_folder") && key !== "logs_folder");

type PlaceOf = (path: Path, what?: "key" | "value") => { line?: number; column?: number };

/** Pure. @throws Fault `config_invalid` */
export function parseConfig(text: string): { value: TaskConfig; placeOf: PlaceOf } {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
  });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return line === 0 ? {} : { line, column: col };
  };
  if (document.errors.length > 0) {
    throw invalid(
      document.errors.map(({ code, message, pos }) => {
        const words = code === "TAB_AS_INDENT" ? "a tab; YAML is indented with blanks" : message;
        return { path: "", message: words, ...at(pos[0]) };
      }),
    );
  }
  const placeOf: PlaceOf = (path, what = "value") => {
    const offset = offsetOf(document, path, what);
    return offset === null ? {} : at(offset);
  };
  return { value: check(document, placeOf), placeOf };
}

function check(document: Document, placeOf: PlaceOf): TaskConfig {
  const keysOf = (value: unknown) => `there must be ${value} here, with keys below it`;
  const isEmpty = isScalar(document.contents) && document.contents.value === null;
  if (document.contents === null || isEmpty) return TaskConfig.parse({});
  if (!isMap(document.contents)) throw invalid([{ path: "", message: keysOf(`"${topKey}:"`), ...placeOf([]) }]);
  const whole = toPlain(document);
  const issues: Issue[] = Object.keys(whole)
    .filter((key) => key !== topKey)
    .map((key) => ({ path: key, message: unknownTop(key), ...placeOf([key], "key") }));
  const given = whole[topKey] ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    issues.push({ path: topKey, message: "it must have keys with values below it", ...placeOf([topKey]) });
    throw invalid(issues);
  }
  // A key without a value has its default.
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const parsed = TaskConfig.safeParse(said);
  if (!parsed.success) issues.push(...parsed.error.issues.flatMap((issue) => told(issue, said, placeOf)));
  else issues.push(...sharedFolders(parsed.data, placeOf), ...collidingFiles(parsed.data, said, placeOf));
  if (issues.length > 0) throw invalid(issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)));
  return parsed.data as TaskConfig;
}

function toPlain(document: Document): Record<string, unknown> {
  try {
    return document.toJS() as Record<string, unknown>;
  } catch (error) {
    // Aliases without an anchor, or too many of them.
    throw invalid([{ path: "", message: (error as Error).message }]);
  }
}

type ZodIssue = NonNullable<ReturnType<typeof TaskConfig.safeParse>["error"]>["issues"][number];

function told(issue: ZodIssue, said: Record<string, unknown>, placeOf: PlaceOf): Issue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const meant = nearest(key, Object.keys(TaskConfig.shape));
      const message = `there is no such key${meant === null ? "" : `; did you mean ${meant}?`}`;
      return { path: key, message, ...placeOf([topKey, key], "key") };
    });
  }
  const key = issue.path.map(String).join(".");
  const value = said[key];
  const isYesOrNo =
    issue.code === "invalid_type" && issue.expected === "boolean" && /^(yes|no|on|off)$/i.test(`${value}`);
  const message = isYesOrNo ? `write true or false instead of ${value}` : mistakeWords(issue, key, value);
  return [{ path: key, message, ...placeOf([topKey, ...issue.path]) }];
}

/** What a value has to be, and what it is. */
function mistakeWords(issue: ZodIssue, key: string, value: unknown): string {
  const wanted = wantedWords(issue, key);
  if (wanted === null) return lowerFirst(issue.message);
  return `it has to be ${wanted}; it is ${JSON.stringify(value) ?? String(value)}`;
}

function wantedWords(issue: ZodIssue, key: string): string | null {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "boolean") return "true or false";
      if (issue.expected === "string") return "text";
      if (issue.expected !== "number" && issue.expected !== "int") return null;
      return isWhole(key) ? "a whole number" : "a number";
    case "too_small":
      if (issue.origin === "string") return "some text";
      return issue.inclusive ? `${issue.minimum} or more` : `more than ${issue.minimum}`;
    case "too_big":
      return `${issue.maximum} at most`;
    case "invalid_format":
      return issue.format === "url" ? "an address that begins with http:// or https://" : null;
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    default:
      return null;
  }
}

/** Are fractions refused there? */
function isWhole(key: string): boolean {
  const schema = Object.entries(TaskConfig.shape).find(([name]) => name === key)?.[1];
  return schema?.safeParse(3).success === true && !schema.safeParse(3.5).success;
}

function unknownTop(key: string): string {
  if (key in TaskConfig.shape) return `it belongs below "${topKey}:", indented`;
  return nearest(key, [topKey]) === null
    ? `there is no such key; all are below "${topKey}:"`
    : `did you mean ${topKey}?`;
}

/** A task would be open and done at once. */
function sharedFolders(config: TaskConfig, placeOf: PlaceOf): Issue[] {
  const plain = (path: string) =>
    path
      .split("/")
      .filter((name) => name !== "" && name !== ".")
      .join("/");
  return folderKeys.flatMap((key, index) => {
    const path = plain(config[key]);
    const other = folderKeys.slice(0, index).find((before) => plain(config[before]) === path);
    const place = placeOf([topKey, key]);
    if (path === "") return [{ path: key, message: "it must be a folder below the vault's root", ...place }];
    return other === undefined ? [] : [{ path: key, message: `${other} is the same folder`, ...place }];
  });
}

const fileKeys = pathKeys.filter((key) => key.endsWith("_file"));

/** What is written into one of them would be read as the other, or as a task. The key that was set is told. */
function collidingFiles(config: TaskConfig, said: object, placeOf: PlaceOf): Issue[] {
  const pathsOf = (key: (typeof fileKeys)[number]) =>
    key === "stop_hook_file" ? spellings(config) : [fromRoot(config[key])];
  const issueAt = (key: string, other: string, isWhat: (other: string) => string): Issue => {
    const [told, untold] = key in said ? [key, other] : [other, key];
    return { path: told, message: isWhat(untold), ...placeOf([topKey, told]) };
  };
  return fileKeys.flatMap((key, index) => {
    const paths = pathsOf(key);
    const same = fileKeys.slice(0, index).filter((other) => pathsOf(other).some((path) => paths.includes(path)));
    const below = folderKeys.filter((folder) => fromRoot(config[folder]) !== "/");
    const around = below.filter((folder) => paths.some((path) => isWithin(fromRoot(config[folder]), path)));
    return [
      ...(paths.includes(configFile)
        ? [{ path: key, message: "it is the file this stands in", ...placeOf([topKey, key]) }]
        : []),
      ...same.map((other) => issueAt(key, other, (untold) => `${untold} is the same file`)),
      ...around.map((folder) => issueAt(key, folder, (untold) => liesIn(untold, key, config))),
    ];
  });
}

/** Told at the file's key, or at the folder's. */
function liesIn(untold: string, file: (typeof fileKeys)[number], config: TaskConfig): string {
  return untold === file ? `${file} (${config[file]}) lies in it` : `it lies in ${untold}`;
}

/** Of a key's value, or of the key itself; a value that is not there is where its key is. */
function offsetOf(document: Document, path: Path, what: "key" | "value"): number | null {
  const last = path.at(-1);
  const map = path.length < 2 ? document.contents : document.getIn(path.slice(0, -1).map(String), true);
  if (last === undefined || !isMap(map)) return (map as Node | null)?.range?.[0] ?? null;
  const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === String(last));
  const key = (pair?.key as Node | undefined)?.range?.[0] ?? null;
  const value = pair?.value as Node | null | undefined;
  return what === "key" || !value?.range || (isScalar(value) && value.value === null) ? key : value.range[0];
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const invalid = (issues: Issue[]) => new Fault("config_invalid", { path: configFile, issues });
