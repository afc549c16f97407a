import type { LoopId, TaskPlace, VaultBoard, VaultTask } from "@ralpher/contract";
import { columns } from "./columns.ts";
import { attention, bold, dim } from "./style.ts";
import { injectedWords, problemLines } from "./task-lines.ts";
import { stateWords } from "./task-loops.ts";
import { cut, moment, plural, printable } from "./words.ts";
import { wrapped } from "./wrapped.ts";

/** Finished ones gather for years; more of them only with JSON. */
const mostOver = 10;

/** A vault's tasks by folder, with what its loops make of them. `isRun`: whether somebody runs a loop. */
export function boardLines(board: VaultBoard, isRun: (id: LoopId) => boolean): string[] {
  const { root, config, open, done, rejected, needsAction } = board;
  const { specs_folder, done_folder, rejected_folder, needs_action_folder } = config ?? {};
  const isEmpty = open.length + done.length + rejected.length === 0;
  const rows = (tasks: VaultTask[], place: TaskPlace) => {
    const lines = columns(tasks.map((task) => cells(task, place, isRun)));
    return tasks.flatMap(({ problem }, at) => [
      `  ${lines[at] ?? ""}`,
      ...(problem === null ? [] : wrapped(problem, { first: `            ${attention("!")} ` })),
    ]);
  };
  return [
    `${bold(printable(root))}${board.isWatched ? dim("  watched: what is put into its specs folder is taken up") : ""}`,
    ...bannerLines(board),
    ...section(specs_folder ?? "Specs", open.length, rows(open, "open")),
    ...section(
      needs_action_folder ?? "Needs_Action",
      needsAction.length,
      columns(
        needsAction.map(({ path, modifiedAt, loop }) => [
          attention("?"),
          cut(path, 70),
          dim(loop === null ? "" : cut(`${loop.id.slice(0, 8)} ${loop.title}`, 50)),
          dim(moment(modifiedAt)),
        ]),
      ).map((line) => `  ${line}`),
    ),
    ...section(done_folder ?? "Done", done.length, rows(done.slice(0, mostOver), "done")),
    ...section(rejected_folder ?? "Rejected", rejected.length, rows(rejected.slice(0, mostOver), "rejected")),
    ...(isEmpty
      ? ["", `There are no tasks yet. Put a Markdown file into ${printable(specs_folder ?? "/Specs")}.`]
      : []),
  ];
}

/** What counts for all tasks of a vault. */
export function bannerLines({ stopHook, waitingPrompt, problems }: VaultBoard): string[] {
  return [
    ...(stopHook === null
      ? []
      : wrapped(`${stopHook.path} stops all tasks: ${cut(stopHook.reason, 200)}`, { first: "■ ", paint: attention })),
    ...(waitingPrompt === null
      ? []
      : wrapped(`to be told to the agent: ${cut(injectedWords(waitingPrompt), 160)}`, { first: "› " })),
    ...problems.flatMap(problemLines),
  ];
}

function section(folder: string, all: number, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const hidden = all - lines.length;
  const more = hidden > 0 ? [dim(`  and ${plural(hidden, "older one")}; --json has all`)] : [];
  return ["", bold(printable(folder).replace(/^\//, "")), ...lines, ...more];
}

function cells({ path, title, steps, loop }: VaultTask, place: TaskPlace, isRun: (id: LoopId) => boolean): string[] {
  return [
    loop === null ? "        " : loop.id.slice(0, 8),
    loop === null ? dim("–") : stateWords(loop.status, isRun(loop.id), place),
    steps === null ? "" : `${steps.done}/${steps.all}`,
    cut(path, 60),
    dim(cut(title, 40)),
  ];
}
