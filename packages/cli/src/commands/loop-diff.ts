import type { FileDiff } from "@ralpher/contract";
import { bad, bold, dim, good } from "../print/style.ts";
import { cut, plural, printable } from "../print/words.ts";
import { print, printJson, withRalpher } from "../session.ts";

/** `ralpher loop diff` */
export async function loopDiff(
  text: string,
  options: { stat?: true | undefined; json?: true | undefined },
): Promise<void> {
  await withRalpher(async ({ hub }) => {
    const files = await hub.diff(await hub.resolve(text));
    if (options.json === true) return printJson(files);
    if (options.stat !== true) for (const file of files) for (const line of patchLines(file)) print(line);
    for (const line of statLines(files)) print(line);
  });
}

function patchLines(file: FileDiff): string[] {
  const head = bold(cut(`${file.status} ${file.oldPath === undefined ? "" : `${file.oldPath} → `}${file.path}`, 500));
  if (file.patch === undefined) return [head, dim(file.binary ? "  (binary)" : "  (too large to show)"), ""];
  const lines = printable(file.patch).replace(/\n$/, "").split("\n");
  return [head, ...lines.map(paint), ""];
}

function paint(line: string): string {
  if (line.startsWith("+") && !line.startsWith("+++")) return good(line);
  if (line.startsWith("-") && !line.startsWith("---")) return bad(line);
  return line.startsWith("@@") ? dim(line) : line;
}

/** A line a file, and the sum. */
export function statLines(files: FileDiff[]): string[] {
  const widest = Math.min(60, Math.max(0, ...files.map(({ path }) => path.length)));
  const added = files.reduce((sum, file) => sum + file.additions, 0);
  const deleted = files.reduce((sum, file) => sum + file.deletions, 0);
  return [
    ...files.map(
      (file) => `${cut(file.path, 200).padEnd(widest)}  ${good(`+${file.additions}`)} ${bad(`-${file.deletions}`)}`,
    ),
    `${plural(files.length, "file")}, ${good(`+${added}`)} ${bad(`-${deleted}`)}`,
  ];
}
