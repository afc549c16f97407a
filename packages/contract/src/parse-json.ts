import { Fault } from "./fault.ts";

/**
 * Read JSON that a person may have written or damaged.
 * @throws Fault `invalid_input` that begins with `what` is wrong ("it is not JSON") and goes on with the line and column
 */
export function parseJson(text: string, subject: string, what = "it is not JSON"): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${what}: ${placeOfError(text)}`;
    throw new Fault("invalid_input", { what: subject, issues: [{ path: "(root)", message }] }, { cause });
  }
}

const space = "[ \\t\\r\\n]*";
const plain = '[^"\\\\\\u0000-\\u001f]*';
const string = `"${plain}(?:\\\\(?:["\\\\/bfnrt]|u[\\da-fA-F]{4})${plain})*"`;
const other = "(?:-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)(?![\\w.+-])";
/** After white space a mark, a string, or another value. The engine's own errors tell no place. */
const token = new RegExp(`${space}(?:([{}[\\],:])|(${string})|${other})`, "y");

type Wanted = "value" | "value or ]" | "name" | "name or }" | ":" | ", or end" | "end";

/** Where a text stops being JSON, in words. */
function placeOfError(text: string): string {
  const open: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  const afterValue = (): Wanted => (open.length === 0 ? "end" : ", or end");
  for (let at = 0; ; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text);
    const [, mark, quoted] = found ?? [];
    const isValue = found !== null && mark === undefined;
    if (isValue && (wanted === "value" || wanted === "value or ]")) wanted = afterValue();
    else if (quoted !== undefined && (wanted === "name" || wanted === "name or }")) wanted = ":";
    else if (mark === ":" && wanted === ":") wanted = "value";
    else if (mark === "," && wanted === ", or end") wanted = open.at(-1) === "{" ? "name" : "value";
    else if ((mark === "{" || mark === "[") && (wanted === "value" || wanted === "value or ]")) {
      open.push(mark);
      wanted = mark === "{" ? "name or }" : "value or ]";
    } else if (mark === "}" && open.at(-1) === "{" && (wanted === "name or }" || wanted === ", or end")) {
      open.pop();
      wanted = afterValue();
    } else if (mark === "]" && open.at(-1) === "[" && (wanted === "value or ]" || wanted === ", or end")) {
      open.pop();
      wanted = afterValue();
    } else return describe(text, at, wanted);
  }
}

const wantedWords: Record<Wanted, string> = {
  value: "a value",
  "value or ]": "a value",
  name: "a name in quotes",
  "name or }": "a name in quotes",
  ":": 'a ":"',
  ", or end": 'a "," or the end of a list or object',
  end: "nothing more",
};

function describe(text: string, from: number, wanted: Wanted): string {
  const at = text.slice(from).search(/[^ \t\r\n]|$/) + from;
  const before = text.slice(0, at).split("\n");
  const line = `line ${before.length}`;
  if (at === text.length)
    return text.trim() === "" ? "it is empty" : `${line}: it ends too early, as if it was cut off`;
  const place = `${line}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  token.lastIndex = at;
  if (text[at] === '"' && !token.test(text))
    return `${place}: a text in quotes has no end, or something in it that may not be there`;
  const there = /^(?:[\w.+-]+|.)/su.exec(text.slice(at, at + 30))?.[0] ?? "";
  return `${place}: there is ${JSON.stringify(there)} where ${wantedWords[wanted]} should be`;
}
