import { type Claims, type HumanInput, isRead } from "@ralpher/contract";
import { bad, dim } from "./style.ts";
import { cut, plural, printable } from "./words.ts";

/** What SENSE found, a few words a source; what could not be read says so. */
export function claimPieces(claims: Claims): string[] {
  return [
    ...codePieces(claims.code_state),
    ...surveyPieces(claims.survey),
    ...workPieces(claims.work_state),
    ...statePieces(claims.project_state),
    ...humanPieces(claims.human_input),
    ...learningPieces(claims.learnings),
  ];
}

const unread = (what: string) => bad(`${what} could not be read`);

function codePieces(code: Claims["code_state"]): string[] {
  if (!isRead(code)) return [unread("git")];
  const changed = code.staged + code.unstaged;
  const lines = code.file_count === 0 ? "" : ` +${code.lines_added} −${code.lines_removed}`;
  return [
    `on ${printable(code.branch ?? "no branch")}`,
    ...(code.note === null ? [plural(code.commit_count, "commit")] : [code.note]),
    ...(code.note === null ? [`${plural(code.file_count, "file")}${lines}`] : []),
    ...(changed === 0 ? [] : [`${changed} uncommitted`]),
  ];
}

function surveyPieces(survey: Claims["survey"]): string[] {
  if (!isRead(survey)) return [unread("the tree")];
  return [
    ...(survey.has_code ? [] : ["no code yet"]),
    survey.test_command === null ? "no test command" : `tests: ${cut(survey.test_command, 60)}`,
  ];
}

function workPieces(work: Claims["work_state"]): string[] {
  if (!isRead(work)) return [unread("work items")];
  if (work.note !== null) return ["no work items yet"];
  const blocked = work.blocked.length === 0 ? "" : ` (${work.blocked.length} blocked)`;
  return [`${plural(work.open.length, "open task")}${blocked}`, `${work.closed.length} closed`];
}

function statePieces(state: Claims["project_state"]): string[] {
  if (!isRead(state)) return [unread("history")];
  return state.repeats.length === 0 ? [] : [`${plural(state.repeats.length, "thing")} came back`];
}

function humanPieces(human: Claims["human_input"]): string[] {
  if (human === null) return [];
  if (!isRead(human)) return [unread("human input")];
  return [plural(human.items.length, "human word")];
}

function learningPieces(learnings: Claims["learnings"]): string[] {
  if (!isRead(learnings)) return [unread("learnings")];
  const count = learnings.split("\n").filter((line) => /^\s*[-*] /.test(line)).length;
  return count === 0 ? [] : [plural(count, "learning")];
}

/** Why sources could not be read: name and reason. */
export function unreadSources(claims: Claims): [string, string][] {
  const { timestamp: _, iteration_number: __, ...sections } = claims;
  return Object.entries(sections).flatMap(([name, section]): [string, string][] =>
    section !== null && !isRead(section as unknown) ? [[name, (section as { error: string }).error]] : [],
  );
}

const humanWords: Record<HumanInput["type"], string> = {
  answer: "an answer",
  correction: "a correction",
  comment: "a comment",
  task_update: "a task",
  spec: "the spec",
};

/** `a comment on app-1a2b3c` */
export function humanSubject({ type, task_id }: HumanInput): string {
  return `${humanWords[type]}${task_id === undefined ? "" : dim(` ${type === "comment" ? "on " : ""}${task_id}`)}`;
}
