import { type Claims, isRead } from "@ralpher/contract";
import { humanSubject } from "./soda-claims.ts";
import { accent, attention, bad, bold, dim } from "./style.ts";
import { cut, plural, printable, short } from "./words.ts";
import { listed, screenWidth, wrapped } from "./wrapped.ts";

const most = 10;
const room = (taken: number) => Math.max(20, screenWidth() - taken);

/** Everything that SENSE claims, part by part, for people. */
export function claimLines(claims: Claims): string[] {
  return [
    `${bold(`Claims for iteration ${claims.iteration_number}`)} ${dim(claims.timestamp)}`,
    ...part("Code", claims.code_state, codeLines),
    ...part("Tree", claims.survey, treeLines),
    ...part("Work items", claims.work_state, workLines),
    ...part("Iterations", claims.project_state, stateLines),
    ...part("Human input", claims.human_input, humanLines),
    ...part("Learnings", claims.learnings, learningLines),
  ];
}

function part<T>(title: string, value: T | { error: string }, lines: (value: T) => string[]): string[] {
  return [
    "",
    bold(title),
    ...(isRead(value) ? lines(value) : wrapped(`could not be read: ${value.error}`, { first: `  ${bad("✗")} ` })),
  ];
}

type Read<K extends keyof Claims> = Exclude<Claims[K], { error: string }>;

function codeLines(code: Read<"code_state">): string[] {
  const { note, commits, commit_count, files_changed, file_count } = code;
  return [
    ...listed([`on ${printable(code.branch ?? "no branch")}`, `${code.staged} staged`, `${code.unstaged} not staged`], {
      first: "  ",
    }),
    ...(note === null
      ? [`  ${plural(commit_count, "commit")} since ${(code.base ?? "").slice(0, 8)}`]
      : [dim(`  ${note}`)]),
    ...commits.slice(0, most).map(({ hash, message }) => `    ${dim(hash.slice(0, 8))} ${short(message, room(14))}`),
    ...beyond(commit_count),
    ...(file_count === 0 ? [] : [`  ${plural(file_count, "file")} +${code.lines_added} −${code.lines_removed}`]),
    ...files_changed.slice(0, most).map(({ path, added, removed }) => {
      const lines = added === null || removed === null ? "binary" : `+${added} −${removed}`;
      return `    ${cut(path, room(20))} ${dim(lines)}`;
    }),
    ...beyond(file_count),
  ];
}

function treeLines({ has_code, has_tests, manifests, test_command }: Read<"survey">): string[] {
  return listed(
    [
      has_code ? "has code" : "no code yet",
      has_tests ? "has tests" : "no tests yet",
      ...(manifests.length === 0 ? [] : [cut(manifests.join(", "), 60)]),
      test_command === null ? "no test command" : `tests: ${cut(test_command, 60)}`,
    ],
    { first: "  " },
  );
}

function workLines({ root, open, blocked, closed, comments, note }: Read<"work_state">): string[] {
  if (root === null) return [dim(`  ${note ?? "none"}`)];
  const why = new Map(blocked.map(({ id, reason }) => [id, reason]));
  return [
    `  ${root.id} ${cut(root.title, room(16))} ${dim(root.status.replace("_", " "))}`,
    `  ${open.length} open (${blocked.length} blocked), ${closed.length} closed`,
    ...open.slice(0, most).flatMap(({ id, title, priority }) => {
      const reason = why.get(id);
      return [
        `    ${reason === undefined ? "○" : attention("⊘")} ${id} ${dim(`P${priority}`)} ${cut(title, room(22))}`,
        ...(reason === undefined ? [] : wrapped(cut(reason, 240), { first: "      ", paint: attention })),
      ];
    }),
    ...beyond(open.length),
    ...comments.flatMap(({ task_id, source, content }) =>
      wrapped(cut(content, 240), { first: `  ${dim("›")} ${task_id} ${printable(source)}: ` }),
    ),
  ];
}

function stateLines({ history, repeats, note }: Read<"project_state">): string[] {
  return [
    ...(note === null ? [] : [dim(`  ${note}`)]),
    ...history.flatMap(({ iteration, intent, outcome }) =>
      wrapped(`${intent}: ${outcome}`, { first: `  ${String(iteration).padStart(3)}  ` }),
    ),
    ...repeats.flatMap(({ kind, what, times }) =>
      wrapped(`${kind} came back ${times} times: ${what}`, { first: "  ! ", paint: attention }),
    ),
  ];
}

function humanLines(human: Read<"human_input">): string[] {
  if (human === null) return [dim("  none")];
  return human.items.flatMap((input) =>
    wrapped(cut(input.content, 400), { first: `  ${accent("›")} ${humanSubject(input)}: ` }),
  );
}

function learningLines(learnings: Read<"learnings">): string[] {
  return learnings.trim() === ""
    ? [dim("  none")]
    : learnings
        .trim()
        .split("\n")
        .flatMap((line) => wrapped(line, { first: "  " }));
}

function beyond(count: number): string[] {
  return count > most ? [dim(`    and ${count - most} more`)] : [];
}
