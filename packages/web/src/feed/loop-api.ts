import type { FileDiff, StoredEvent, UpdateLoopRequest } from "@ralpher/contract";
import { client, read } from "./api.ts";
import { type LogKind, typesOfKind } from "./log-kinds.ts";

const loop = client.loops[":id"];
const until = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { init: { signal } });

/** The folded view of one loop. @throws Refusal `loop_not_found` */
export const readView = (id: string, signal: AbortSignal) => read(loop.view.$get({ param: { id } }, until(signal)));

export interface LogPageQuery {
  after?: number;
  before?: number;
  limit: number;
  /** Take the page from the newest end of what matches. */
  newest?: boolean;
}

/** A page of a loop's log, oldest first, of one kind of entries. */
export async function readLog(
  id: string,
  kind: LogKind,
  { newest, ...page }: LogPageQuery,
  signal: AbortSignal,
): Promise<StoredEvent[]> {
  const query = { ...page, ...(newest === true ? { newest: "true" } : {}), types: typesOfKind(kind)?.join(",") };
  return (await read(loop.logs.$get({ param: { id }, query }, until(signal)))) as StoredEvent[];
}

/** The newest iterations before the one that begins at `before`, oldest first. */
export const readIterations = (id: string, query: { before?: number; limit: number }, signal: AbortSignal) =>
  read(loop.iterations.$get({ param: { id }, query }, until(signal)));

type CommitEvent = Extract<StoredEvent, { type: "loop.git.commit" }>;

/** Commits that were made before `before`, oldest first, as events. */
export async function readCommits(id: string, page: { before?: number; limit: number }, signal?: AbortSignal) {
  const query = { ...page, newest: "true", types: "loop.git.commit" };
  return (await read(loop.logs.$get({ param: { id }, query }, until(signal)))) as CommitEvent[];
}

/** Look for text in a loop's whole log, newest first. */
export const searchLog = (id: string, text: string, before: number | undefined, signal: AbortSignal) =>
  read(loop.search.$get({ param: { id }, query: { text, before, limit: 100 } }, until(signal)));

/** Which changes: all, a commit's, or an iteration's; `path` narrows to one file. */
export type DiffScope = { commit?: string; iteration?: number };

/** What changed. Large patches are left out unless one file is asked for. */
export const readDiff = (id: string, query: DiffScope & { path?: string }, signal?: AbortSignal): Promise<FileDiff[]> =>
  read(loop.diff.$get({ param: { id }, query }, until(signal)));

/** The loop's plan or status file; null when there is none. */
export async function readNotes(id: string, file: "plan" | "status-file", signal: AbortSignal) {
  return (await read(loop[file].$get({ param: { id }, query: {} }, until(signal)))).content;
}

/** Where the loop's branch stands; null without git. */
export async function readGit(id: string, signal: AbortSignal) {
  return (await read(loop.git.$get({ param: { id } }, until(signal)))).git;
}

/** Say something to the loop: for its next turn, or `now`. */
export const say = (id: string, text: string, now: boolean) =>
  read(loop.say.$post({ param: { id }, json: { text, now } }));

/** Take back what no turn has begun with. */
export const unsay = (id: string, seq: number) => read(loop.say[":seq"].$delete({ param: { id, seq } }));

/** Change settings; the next iteration goes by them. */
export const changeLoop = (id: string, json: UpdateLoopRequest) => read(loop.$patch({ param: { id }, json }));
