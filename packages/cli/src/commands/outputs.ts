import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type CaptureSummary, Fault } from "@ralpher/contract";
import { listCaptures, outputsFolder, readCapture } from "../compose.ts";
import { readEnvironment } from "../environment.ts";
import { columns } from "../print/columns.ts";
import { recordLines } from "../print/record-lines.ts";
import { attention, bad, dim, good } from "../print/style.ts";
import { cut, duration, moment, usage } from "../print/words.ts";
import { print, printJson, withRalpher } from "../session.ts";

interface Where {
  folder?: string | undefined;
}

const folderOf = ({ folder }: Where) =>
  folder === undefined ? outputsFolder(readEnvironment().dataDir) : resolve(folder);

/** `ralpher outputs list` */
export async function outputsList(
  options: Where & { lines: number; loop?: string | undefined; json?: true | undefined },
): Promise<void> {
  const root = folderOf(options);
  const { loop } = options;
  const folder = loop === undefined ? root : join(root, await withRalpher(({ hub }) => hub.resolve(loop)));
  const all = await listCaptures(folder);
  const shown = all.slice(0, options.lines);
  if (options.json === true) return printJson(shown);
  const nameOf = namesAmong(all);
  for (const line of columns(shown.map((capture) => cells(capture, nameOf(capture))))) print(line);
  if (all.length > shown.length) print(dim(`${all.length - shown.length} older ones; -n shows more of them.`));
  if (all.length === 0) print(`No conversations are captured in ${folder} yet.`);
}

/** The folder of a loop's conversations is named by the loop's id. */
const groupOf = ({ path }: CaptureSummary) => basename(dirname(path));

/**
 * What `outputs show` finds a conversation by. A loop that was imported beside its original brings the same conversations
 * along: then the beginning of the loop's id comes first.
 */
function namesAmong(all: CaptureSummary[]): (capture: CaptureSummary) => string {
  const times = new Map<string, number>();
  for (const { header } of all) times.set(header.id, (times.get(header.id) ?? 0) + 1);
  return (capture) => {
    const id = capture.header.id.slice(0, 8);
    return times.get(capture.header.id) === 1 ? id : `${groupOf(capture).slice(0, 8)}/${id}`;
  };
}

function cells({ header, ended, outcome, usage: used, durationMs }: CaptureSummary, name: string): string[] {
  const state = { done: good("✓ done"), failed: bad("✗ failed") };
  return [
    name,
    moment(header.at),
    ended && outcome !== null ? state[outcome] : attention("… unfinished"),
    [header.agentType, header.role].filter((word) => word !== undefined).join(" "),
    header.backend,
    durationMs === null ? "" : duration(durationMs),
    dim(used === null ? "" : usage(used)),
    dim(cut(header.agentType === "loop" ? header.title : header.promptSummary, 60)),
  ];
}

/** `ralpher outputs show` */
export async function outputsShow(
  text: string,
  options: Where & { full?: true | undefined; json?: true | undefined },
): Promise<void> {
  const path = await requireCapture(text, folderOf(options));
  let ended = false;
  for await (const record of readCapture(path)) {
    ended = record.type === "end";
    if (options.json === true) printJson(record);
    else for (const line of recordLines(record, options.full === true)) print(line);
  }
  if (!ended && options.json !== true) print(attention("… it goes on, or was cut off here."));
}

/** @throws Fault `not_found`, `ambiguous_id` */
async function requireCapture(text: string, folder: string): Promise<string> {
  if (existsSync(text)) return resolve(text);
  const all = await listCaptures(folder);
  const [id = "", group = ""] = text.toLowerCase().split("/").reverse();
  const found = all.filter((capture) => capture.header.id.startsWith(id) && groupOf(capture).startsWith(group));
  const [first, ...others] = found;
  if (first === undefined) {
    throw new Fault("not_found", {
      what: `captured conversation "${text}" in ${folder}; "ralpher outputs list" shows them`,
    });
  }
  if (others.length > 0) throw new Fault("ambiguous_id", { id: text, matches: found.map(namesAmong(all)) });
  return first.path;
}
