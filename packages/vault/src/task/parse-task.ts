import { posix } from "node:path";
import { Fault, type TaskFile, type TaskStep } from "@ralpher/contract";
import { type FrontMatter, readFrontMatter } from "../markdown/front-matter.ts";
import { splitLines } from "../markdown/lines.ts";
import { toCommand } from "../markdown/verify.ts";
import { readSteps, type Step } from "./steps.ts";

export interface ParsedTask {
  frontMatter: FrontMatter;
  id: string;
  title: string;
  markedComplete: boolean;
  /** Empty when the file has no boxes, and is one step. */
  boxes: Step[];
  steps: TaskStep[];
}

/** @throws Fault `task_file_unusable` */
export function parseTask(path: string, text: string): ParsedTask {
  const frontMatter = readFrontMatter(text);
  const { data, yaml, problem } = frontMatter;
  if (problem !== null && yaml !== null) {
    const { line, column, message } = problem;
    throw new Fault("task_file_unusable", { path, detail: `line ${line}, column ${column}: ${message}` });
  }
  const verify = readVerify(path, data.verify);
  const { steps: boxes, heading } = readSteps(text, { bodyFrom: frontMatter.bodyFrom, verify });
  const title = textOf(data.title) ?? heading ?? stemOf(path);
  const markedComplete =
    data.completed === true || /^(done|completed?)$/i.test(typeof data.status === "string" ? data.status.trim() : "");
  const steps = boxes.length > 0 ? boxes.map(withoutBox) : [wholeStep(text, frontMatter.bodyFrom)];
  return { frontMatter, id: textOf(data.task_id) ?? idOf(path), title, markedComplete, boxes, steps };

  function wholeStep(whole: string, bodyFrom: number): TaskStep {
    return {
      key: title,
      text: whole.slice(bodyFrom).trim(),
      path: [],
      twins: 1,
      line: splitLines(whole, bodyFrom)[0]?.number ?? 1,
      depth: 0,
      done: markedComplete,
      isParent: false,
      verify,
    };
  }
}

/** Names that say nothing about which task it is; its folder's does. */
const anyTask = /^(tasks?|todo|index|readme|plan)$/i;

/** What a task is called that does not say so itself: `auth_feature` for `/Specs/auth_feature/tasks.md`. */
export function idOf(path: string): string {
  const stem = stemOf(path);
  const folder = posix.basename(posix.dirname(path));
  return anyTask.test(stem) && posix.dirname(posix.dirname(path)) !== posix.dirname(path) ? folder : stem;
}

export function stemOf(path: string): string {
  return posix.basename(path).replace(/\.(md|markdown)$/i, "");
}

/**
 * Nothing but blanks, or front matter that does not say what it is about: no task, and surely not one step that an agent
 * could do.
 */
export function isEmpty(text: string): boolean {
  const { data, bodyFrom } = readFrontMatter(text);
  return text.slice(bodyFrom).trim() === "" && textOf(data.title) === null;
}

export function toTaskFile(path: string, { text, sha }: { text: string; sha: string }): TaskFile {
  const { frontMatter, id, title, markedComplete, steps } = parseTask(path, text);
  return { path, sha, id, title, text, frontMatter: frontMatter.data, markedComplete, steps };
}

function withoutBox({ box: _box, parent: _parent, children: _children, ...step }: Step): TaskStep {
  return step;
}

function textOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** A check that cannot be read must not be left out in silence. */
function readVerify(path: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return toCommand(value) ?? null;
  throw new Fault("task_file_unusable", { path, detail: "verify in its front matter is no text" });
}
