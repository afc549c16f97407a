import { Fault, type TaskStep } from "@ralpher/contract";
import { isScalar } from "yaml";
import { changeFile, type Edit } from "../files/change-file.ts";
import { decodeText } from "../files/read-text.ts";
import { lineEndOf } from "../markdown/lines.ts";
import { usableTask } from "../usable.ts";
import { isEmpty, type ParsedTask, parseTask } from "./parse-task.ts";
import { pathSign, type Step } from "./steps.ts";

export type Wanted = Pick<TaskStep, "key" | "path" | "twins">;
export type Ticked = "ticked" | "done" | "missing";

/** @throws Fault `task_file_unusable`, `vault_busy` */
export async function tickStep(file: string, path: string, step: Wanted): Promise<Ticked> {
  const made = await usableTask(
    path,
    changeFile<Ticked>(file, (bytes) => {
      const text = decodeText(bytes);
      if (typeof text !== "string") throw new Fault("task_file_unusable", { path, detail: text.why });
      if (isEmpty(text)) return { next: null, value: "missing" };
      return tick(path, text, step);
    }),
  );
  if (made === null) throw new Fault("vault_busy", { path });
  return made.value;
}

/** Pure. `path` is for words only. */
export function tick(path: string, text: string, wanted: Wanted): Edit<Ticked> {
  const task = parseTask(path, text);
  if (task.boxes.length === 0) return tickWhole(path, text, task, wanted);
  const step = findStep(task.boxes, wanted);
  if (step === undefined) return { next: null, value: "missing" };
  const boxes = [step, ...doneAbove(step)].map(({ box }) => box).filter(({ isTicked }) => !isTicked);
  if (boxes.length === 0) return { next: null, value: "done" };
  let next = text;
  for (const { at } of boxes) next = `${next.slice(0, at)}x${next.slice(at + 1)}`;
  return { next: Buffer.from(next), value: step.box.isTicked ? "done" : "ticked" };
}

/**
 * The step that is meant, where it was: of twins none while their number is another, for it may be any of them. Its key
 * may have got its path, or lost it, because its words came to stand in another place, too.
 */
function findStep(boxes: Step[], wanted: Wanted): Step | undefined {
  const { key, path, twins } = wanted;
  const there = boxes.filter((step) => step.twins === twins && Bun.deepEquals(step.path, path));
  const named = there.find((step) => step.key === key);
  if (named !== undefined) return named;
  const [only, ...more] = there.filter((step) => bare(step) === bare(wanted));
  return only !== undefined && more.length === 0 ? only : findReworded(there, wanted);
}

/** The key without the path. */
function bare({ key, path }: Pick<Step, "key" | "path">): string {
  const prefix = path.map((words) => words + pathSign).join("");
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

/**
 * The one open step that says the same in another dress: a human changed its emphasis, case, quotation marks or last stop
 * meanwhile. Any other word or number may make it another step, and to tick that would be to skip it; one that is only
 * missing is looked at again.
 */
function findReworded(boxes: Step[], wanted: Wanted): Step | undefined {
  const words = undressed(bare(wanted));
  const alike = boxes.filter((step) => !step.isParent && undressed(bare(step)) === words);
  return alike.length === 1 && words !== "" ? alike.find(({ done }) => !done) : undefined;
}

const undressed = (words: string) =>
  words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[*_`~"'“”„‘’«»]/g, "")
    .replace(/[.:;,!\s]+$/, "")
    .replace(/\s+/g, " ")
    .trim();

/** The steps it belongs to that are done with it. */
function doneAbove(step: Step): Step[] {
  const above: Step[] = [];
  for (let { parent } = step; parent !== null; { parent } = parent) {
    const isDone = (child: Step): boolean => child === step || child.done || above.includes(child);
    if (!parent.children.every(isDone)) break;
    above.push(parent);
  }
  return above;
}

function tickWhole(path: string, text: string, task: ParsedTask, { key, path: above }: Wanted): Edit<Ticked> {
  const { markedComplete, title, frontMatter } = task;
  if (key !== title || above.length > 0) return { next: null, value: "missing" };
  if (markedComplete) return { next: null, value: "done" };
  const lineEnd = lineEndOf(text);
  const { yaml, bodyFrom } = frontMatter;
  if (yaml === null) {
    const begun = `${text.slice(0, bodyFrom)}---${lineEnd}status: done${lineEnd}---${lineEnd}${lineEnd}`;
    return { next: Buffer.from(begun + text.slice(bodyFrom)), value: "ticked" };
  }
  const { document } = yaml;
  if (!document.has("status")) {
    return {
      next: Buffer.from(`${text.slice(0, yaml.to)}status: done${lineEnd}${text.slice(yaml.to)}`),
      value: "ticked",
    };
  }
  const status = document.get("status", true);
  const range = isScalar(status) ? status.range : undefined;
  // Over more than one line it would have to be understood to be replaced.
  if (!range || /[\r\n]/.test(text.slice(yaml.from + range[0], yaml.from + range[1]))) {
    throw new Fault("task_file_unusable", { path, detail: "its status is no word that could be set to done" });
  }
  const [from, to] = [yaml.from + range[0], yaml.from + range[1]];
  const gap = /[ \t]$/.test(text.slice(0, from)) ? "" : " ";
  return { next: Buffer.from(`${text.slice(0, from)}${gap}done${text.slice(to)}`), value: "ticked" };
}
