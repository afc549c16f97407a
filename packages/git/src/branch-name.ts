/** Bytes; a ref is a file, whose name may be 255 long, and git appends `.lock`, we a number. */
const longestPart = 200;

/** The nearest name git accepts (the rules of `git check-ref-format`). Letters of all languages stay. */
export function toBranchName(wanted: string): string {
  const parts = wanted
    .normalize("NFC")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
    .replace(/[\u0000-\u0020\u007f~^:?*[\]\\\s]+/g, "-")
    .replace(/@\{/g, "-")
    .replace(/\.{2,}/g, ".")
    .split("/")
    .map(toPart)
    .filter((part) => part !== "");
  const name = parts.join("/");
  return name === "" || name === "@" || name === "HEAD" ? "loop" : name;
}

/** The wanted name, or with the first number from 2 on that is free. Branches are folders to each other's names. */
export function freeBranchName(wanted: string, taken: ReadonlySet<string>): string {
  const name = [...ancestors(wanted)].some((folder) => taken.has(folder)) ? wanted.replaceAll("/", "-") : wanted;
  const folders = new Set([...taken].flatMap((branch) => [...ancestors(branch)]));
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate) && !folders.has(candidate)) return candidate;
  }
}

function toPart(part: string): string {
  let name = cut(part.replace(/^[.-]+/, ""));
  while (/(\.lock|[.-])$/.test(name)) name = name.replace(/(\.lock|[.-])$/, "");
  return name;
}

function cut(part: string): string {
  let name = part;
  while (Buffer.byteLength(name) > longestPart) name = [...name].slice(0, -1).join("");
  return name;
}

function* ancestors(branch: string): Generator<string> {
  for (let slash = branch.indexOf("/"); slash > 0; slash = branch.indexOf("/", slash + 1)) yield branch.slice(0, slash);
}
