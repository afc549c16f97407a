import type { FailedAttempt, TurnFailure } from "./agent.ts";

/** What a fault carries besides its code; it goes to the API's answer and into the message. */
export type FaultData = {
  invalid_input: { what: string; issues: { path: string; message: string }[] };
  loop_not_found: { id: string };
  ambiguous_id: { id: string; matches: string[] };
  not_found: { what: string };
  illegal_transition: { command: string; status: string; hint: string };
  loop_busy: { id: string; owner: string };
  uncommitted_changes: { directory: string; changedFiles: string[] };
  directory_missing: { directory: string };
  not_a_repository: { directory: string };
  bare_repository: { directory: string };
  no_commits: { directory: string };
  detached_head: { directory: string };
  merge_conflict: { branch: string; target: string; files: string[] };
  target_not_clean: { branch: string; files: string[] };
  branch_missing: { branch: string };
  no_remote: { directory: string; remote: string | null };
  push_failed: { branch: string; remote: string; detail: string };
  no_pull_request: { branch: string; remote: string };
  branch_checked_out: { branch: string; directory: string };
  bundle_invalid: { detail: string };
  too_large: { what: string; limit: string };
  git_missing: Record<never, never>;
  git_too_old: { version: string; needed: string };
  git_failed: { command: string; detail: string };
  agent_missing: { agent: string; install: string };
  agent_unsupported: { agent: string; version: string; needed: string };
  agent_failed: { agent: string; detail: string };
  turn_failed: { agent: string; failure: TurnFailure; attempts: FailedAttempt[] };
  output_invalid: { agent: string; issues: { path: string; message: string }[]; output: unknown };
  unknown_backend: { backend: string; known: string[] };
  data_root_unusable: { path: string; detail: string };
  database_corrupt: { path: string; detail: string };
  database_busy: { path: string };
  disk_full: { path: string };
  cannot_listen: { host: string; port: number; detail: string };
  port_taken: { host: string; port: number };
  host_not_loopback: { host: string };
  unauthorized: Record<never, never>;
  too_many_attempts: { seconds: number };
  forbidden: { why: string };
  script_invalid: { path: string; detail: string };
  work_item_not_found: { id: string };
  project_unknown: { project: string };
  project_not_initialized: { directory: string };
  dependency_cycle: { id: string; dependsOnId: string; path: string[] };
  dependency_exists: { id: string; dependsOnId: string; type: string };
  open_children: { id: string; children: { id: string; title: string; status: string }[] };
  trace_busy: { path: string };
  trace_unusable: { path: string; detail: string };
  trace_too_new: { path: string; version: string; known: string };
  soda_home_unusable: { path: string; detail: string };
  spec_unusable: { path: string; detail: string };
  test_command_unusable: { command: string; detail: string };
  spec_taken: { spec: string; id: string; status: string };
  not_soda: { id: string };
  /** `isWithin`: the path is one in a vault, not a vault's. */
  vault_unusable: { path: string; detail: string; isWithin?: true };
  vault_busy: { path: string };
  config_invalid: { path: string; issues: { line?: number; column?: number; path: string; message: string }[] };
  task_file_unusable: { path: string; detail: string };
  state_unusable: { path: string; detail: string };
  task_taken: { path: string; id: string; status: string };
  vault_watched: { path: string };
  vault_stopping: { path: string; names: string[] };
  not_task: { id: string };
};
export type FaultCode = keyof FaultData;

type Row<C extends FaultCode> = {
  /** HTTP status of the API's answer. */
  http: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429 | 500 | 502 | 503 | 507;
  /** Exit code of the CLI; docs/cli.md lists what each means. */
  exit: 2 | 3 | 4 | 5;
  /** One sentence that says what is wrong and what to do. */
  message: (data: FaultData[C]) => string;
};

const list = (items: string[], most = 5) =>
  items.slice(0, most).join(", ") + (items.length > most ? ` and ${items.length - most} more` : "");

/** With the full stop of a sentence, once. */
export function fullStop(text: string): string {
  const words = text.trimEnd();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** A wrong place of a config: `max_iterations: it has to be a whole number (line 8, column 3)`. */
export function configIssueWords({
  line,
  column,
  path,
  message,
}: FaultData["config_invalid"]["issues"][number]): string {
  const where = line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`;
  return `${path === "" ? "" : `${path}: `}${message}${where}`;
}

/** The one table of expected errors: how each is told over HTTP, by the exit code, and in words. */
const table: { [C in FaultCode]: Row<C> } = {
  invalid_input: {
    http: 400,
    exit: 2,
    message: ({ what, issues }) =>
      fullStop(
        `The ${what} cannot be used: ${issues.map((i) => (i.path === "(root)" || i.path === what ? i.message : `${i.path}: ${i.message}`)).join("; ")}`,
      ),
  },
  loop_not_found: {
    http: 404,
    exit: 4,
    message: ({ id }) => `There is no loop ${id}. "ralpher loop list" shows the ones there are.`,
  },
  ambiguous_id: {
    http: 409,
    exit: 2,
    message: ({ id, matches }) => `"${id}" could be any of ${list(matches)}. Give more of the id.`,
  },
  not_found: { http: 404, exit: 4, message: ({ what }) => `There is no ${what}.` },
  illegal_transition: {
    http: 409,
    exit: 5,
    message: ({ command, status, hint }) => `A loop that is ${status} cannot ${command}. ${hint}`,
  },
  loop_busy: {
    http: 409,
    exit: 5,
    message: ({ id, owner }) => `Loop ${id} is in the hands of ${owner}. Stop it first, or wait until it rests.`,
  },
  uncommitted_changes: {
    http: 409,
    exit: 5,
    message: ({ directory, changedFiles }) =>
      `${directory} has uncommitted changes (${list(changedFiles)}). Choose what happens to them: commit, stash or ignore.`,
  },
  directory_missing: {
    http: 400,
    exit: 2,
    message: ({ directory }) => `There is no folder ${directory}. Check the path.`,
  },
  not_a_repository: {
    http: 400,
    exit: 2,
    message: ({ directory }) =>
      `${directory} is not in a git repository. Run "git init" there and commit once, or switch git off for this loop.`,
  },
  bare_repository: {
    http: 400,
    exit: 2,
    message: ({ directory }) =>
      `${directory} is a bare repository, which has no files to work on. Give a checkout of it.`,
  },
  no_commits: {
    http: 400,
    exit: 2,
    message: ({ directory }) =>
      `The repository at ${directory} has no commits yet. Make one first: git commit --allow-empty -m "first commit".`,
  },
  detached_head: {
    http: 400,
    exit: 2,
    message: ({ directory }) =>
      `${directory} is on no branch (detached HEAD), so there is nothing to merge back into. Run "git switch <branch>" first.`,
  },
  merge_conflict: {
    http: 409,
    exit: 5,
    message: ({ branch, target, files }) =>
      `${branch} and ${target} conflict in ${list(files)}. Nothing was changed. Tell the loop to merge ${target}, or merge by hand.`,
  },
  target_not_clean: {
    http: 409,
    exit: 5,
    message: ({ branch, files }) =>
      `${branch} is checked out with uncommitted changes to files this would change (${list(files)}). Commit or stash them, then try again.`,
  },
  branch_missing: {
    http: 409,
    exit: 5,
    message: ({ branch }) =>
      `The branch ${branch} is gone. Restore it with "git branch ${branch} <commit>", or discard the loop. If it is the branch the loop merges into, choose another: ralpher loop target.`,
  },
  branch_checked_out: {
    http: 409,
    exit: 5,
    message: ({ branch, directory }) => `The branch ${branch} is checked out in ${directory}. Leave it there first.`,
  },
  no_remote: {
    http: 409,
    exit: 5,
    message: ({ directory, remote }) =>
      remote === null
        ? `${directory} has no remote to push to. Add one: git remote add origin URL.`
        : `${directory} has no remote "${remote}". "git remote" shows the ones there are.`,
  },
  push_failed: {
    http: 409,
    exit: 5,
    message: ({ branch, remote, detail }) => `${branch} could not be pushed to ${remote}: ${detail}`,
  },
  no_pull_request: {
    http: 409,
    exit: 5,
    message: ({ branch, remote }) =>
      `${branch} is at ${remote}, but its host is not one Ralpher knows. Make the pull request there by hand.`,
  },
  bundle_invalid: { http: 400, exit: 2, message: ({ detail }) => `This is no exported loop: ${detail}.` },
  too_large: { http: 413, exit: 2, message: ({ what, limit }) => `The ${what} is larger than ${limit}.` },
  git_missing: {
    http: 503,
    exit: 3,
    message: () => "git was not found. Install git 2.30 or newer and put it on PATH.",
  },
  git_too_old: {
    http: 503,
    exit: 3,
    message: ({ version, needed }) => `git ${version} is too old. Install git ${needed} or newer.`,
  },
  git_failed: { http: 500, exit: 3, message: ({ command, detail }) => `"git ${command}" failed: ${detail}` },
  agent_missing: { http: 503, exit: 3, message: ({ agent, install }) => `${agent} was not found. ${install}` },
  agent_unsupported: {
    http: 503,
    exit: 3,
    message: ({ agent, version, needed }) => `${agent} ${version} is too old. Update it to ${needed} or newer.`,
  },
  agent_failed: { http: 502, exit: 3, message: ({ agent, detail }) => `${agent} could not be used: ${detail}` },
  turn_failed: {
    http: 502,
    exit: 3,
    message: ({ agent, failure, attempts }) =>
      attempts.length === 1
        ? `${agent} failed (${failure.reason}): ${failure.message}`
        : `${agent} failed ${attempts.length} times, at last (${failure.reason}): ${failure.message}`,
  },
  output_invalid: {
    http: 502,
    exit: 3,
    message: ({ agent, issues }) =>
      `${agent}'s answer does not have the form that was asked for: ${list(
        issues.map((i) => (i.path === "(root)" ? i.message : `${i.path}: ${i.message}`)),
      )}.`,
  },
  unknown_backend: {
    http: 400,
    exit: 2,
    message: ({ backend, known }) => `There is no backend "${backend}". There are: ${known.join(", ")}.`,
  },
  data_root_unusable: {
    http: 503,
    exit: 3,
    message: ({ path, detail }) =>
      `The data folder ${path} cannot be used: ${detail}. Make it writable, or set RALPHER_DATA_DIR to another.`,
  },
  database_corrupt: {
    http: 503,
    exit: 3,
    message: ({ path, detail }) =>
      `The database ${path} is damaged (${detail}). Nothing was changed. Move the file aside to start with an empty one, or restore a copy; the loops' branches and worktrees are untouched.`,
  },
  database_busy: {
    http: 503,
    exit: 3,
    message: ({ path }) => `Another program holds the database ${path} locked. End that program, or try again later.`,
  },
  disk_full: {
    http: 507,
    exit: 3,
    message: ({ path }) => `The disk that holds ${path} is full. Free some space, then go on.`,
  },
  cannot_listen: {
    http: 503,
    exit: 3,
    message: ({ host, port, detail }) =>
      `Ralpher cannot listen on ${host}, port ${port}: ${detail}. Choose another with --host and --port.`,
  },
  port_taken: {
    http: 503,
    exit: 3,
    message: ({ host, port }) => `Port ${port} on ${host} is taken. Choose another with --port or RALPHER_PORT.`,
  },
  host_not_loopback: {
    http: 403,
    exit: 2,
    message: ({ host }) =>
      `Listening on ${host} lets others in, which needs a token. Set RALPHER_TOKEN to a secret, or listen on 127.0.0.1.`,
  },
  unauthorized: {
    http: 401,
    exit: 3,
    message: () => 'This needs the token. Send it as "Authorization: Bearer <token>".',
  },
  too_many_attempts: {
    http: 429,
    exit: 3,
    message: ({ seconds }) => `Too many wrong tokens came from where you are. Try again in ${seconds} seconds.`,
  },
  forbidden: { http: 403, exit: 5, message: ({ why }) => `Refused: ${why}.` },
  script_invalid: { http: 400, exit: 2, message: ({ path, detail }) => `The script ${path} cannot be used: ${detail}` },
  work_item_not_found: {
    http: 404,
    exit: 4,
    message: ({ id }) => `There is no work item ${id}. "trc list --project any" shows the ones there are.`,
  },
  project_unknown: {
    http: 404,
    exit: 4,
    message: ({ project }) => `Trace knows no project "${project}". Run "trc init" in its repository first.`,
  },
  project_not_initialized: {
    http: 409,
    exit: 5,
    message: ({ directory }) => `There are no work items in ${directory} yet. Run "trc init" there first.`,
  },
  dependency_cycle: {
    http: 409,
    exit: 5,
    message: ({ id, dependsOnId, path }) =>
      `${id} cannot depend on ${dependsOnId}, for that would be a cycle: ${path.join(" → ")}.`,
  },
  dependency_exists: {
    http: 409,
    exit: 5,
    message: ({ id, dependsOnId, type }) =>
      `${id} depends on ${dependsOnId} already (${type}), and two items have one dependency at most. Remove that first.`,
  },
  open_children: {
    http: 409,
    exit: 5,
    message: ({ id, children }) =>
      `${id} has open children (${list(children.map((child) => child.id))}). Close those first, or close it by force.`,
  },
  trace_busy: {
    http: 503,
    exit: 3,
    message: ({ path }) => `Another program holds the work items locked (${path}). Try again in a moment.`,
  },
  trace_unusable: {
    http: 503,
    exit: 3,
    message: ({ path, detail }) => `The work items in ${path} cannot be used: ${detail}.`,
  },
  trace_too_new: {
    http: 503,
    exit: 3,
    message: ({ path, version, known }) =>
      `${path} was made by a newer Trace (schema ${version}; known is ${known}). Update Ralpher.`,
  },
  soda_home_unusable: {
    http: 503,
    exit: 3,
    message: ({ path, detail }) =>
      `SODA's folder ${path} cannot be used: ${detail}. Make it writable, or set SODA_HOME to another.`,
  },
  spec_unusable: {
    http: 400,
    exit: 2,
    message: ({ path, detail }) =>
      `The spec ${path} cannot be used: ${detail}. Write what is to be built into it, with acceptance criteria, or name another with --spec.`,
  },
  test_command_unusable: {
    http: 400,
    exit: 2,
    message: ({ command, detail }) => `The tests cannot be run with "${command}": ${detail}.`,
  },
  spec_taken: {
    http: 409,
    exit: 5,
    message: ({ spec, id, status }) =>
      `Run ${id.slice(0, 8)} of ${spec} is not finished (${status}). Go on with it, discard it, or ask for another one beside it.`,
  },
  vault_unusable: {
    http: 400,
    exit: 2,
    message: ({ path, detail, isWithin }) =>
      isWithin
        ? `${path} in the vault cannot be used: ${detail}.`
        : `${path} cannot be used as a vault: ${detail}. Name yours with --vault, or lay one out: ralpher task init DIR.`,
  },
  vault_busy: {
    http: 409,
    exit: 5,
    message: ({ path }) => `${path} kept being changed while Ralpher wanted to write it. Try again when nobody does.`,
  },
  config_invalid: {
    http: 400,
    exit: 2,
    message: ({ path, issues }) => fullStop(`${path} cannot be used: ${issues.map(configIssueWords).join("; ")}`),
  },
  task_file_unusable: {
    http: 400,
    exit: 2,
    message: ({ path, detail }) => fullStop(`The task file ${path} cannot be used: ${detail}`),
  },
  task_taken: {
    http: 409,
    exit: 5,
    message: ({ path, id, status }) =>
      `Loop ${id.slice(0, 8)} has the task ${path} already (${status}). Go on with it: ralpher task resume ${id.slice(0, 8)}; or delete that loop, which leaves the file where it is: ralpher loop delete ${id.slice(0, 8)}.`,
  },
  vault_watched: {
    http: 409,
    exit: 5,
    message: ({ path }) => `Another process watches the vault ${path} already. Stop that one first.`,
  },
  vault_stopping: {
    http: 409,
    exit: 5,
    message: ({ path, names }) =>
      `The vault is told to stop by ${path}, and these tasks still end their iteration: ${list(names)}. Try again when they have stopped.`,
  },
  not_task: {
    http: 409,
    exit: 5,
    message: ({ id }) => `Loop ${id.slice(0, 8)} has no task file: its strategy is not task.`,
  },
  state_unusable: {
    http: 409,
    exit: 5,
    message: ({ path, detail }) =>
      `The state file ${path} is not one this Ralpher may write: ${detail}. Move it aside, or name another with state_file.`,
  },
  not_soda: { http: 409, exit: 5, message: ({ id }) => `Loop ${id} does not work by SODA.` },
};

/** An expected error: something a user, a file, or another program can cause. Everything else is a bug. */
export class Fault<C extends FaultCode = FaultCode> extends Error {
  override readonly name = "Fault";
  readonly code: C;
  readonly data: FaultData[C];

  constructor(code: C, data: FaultData[C], options?: { cause?: unknown }) {
    super(table[code].message(data), options);
    this.code = code;
    this.data = data;
  }

  get http(): Row<C>["http"] {
    return table[this.code].http;
  }

  get exit(): Row<C>["exit"] {
    return table[this.code].exit;
  }

  /** The body of the API's answer: `{error, message, ...data}` (seed 004, §5.2). */
  toJSON(): Record<string, unknown> {
    return { error: this.code, message: this.message, ...this.data };
  }
}

/** Is it a fault, and of this code? Narrows the data. */
export function isFault<C extends FaultCode>(error: unknown, code?: C): error is Fault<C> {
  return error instanceof Fault && (code === undefined || error.code === code);
}
