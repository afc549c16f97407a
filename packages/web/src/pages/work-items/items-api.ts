import type { DependencyKind, WorkBoard, WorkItemChanges } from "@ralpher/contract";
import { client, read } from "../../feed/api.ts";

const items = client["work-items"];
const until = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { init: { signal } });

/** The work items of a folder's project; `root` narrows them to what is below it. @throws Refusal */
export const readBoard = (directory: string, root: string | undefined, signal: AbortSignal): Promise<WorkBoard> =>
  read(items.$get({ query: { directory, ...(root === undefined ? {} : { root }) } }, until(signal)));

/** Another text when the items may have changed. */
export async function readStamp(directory: string, signal: AbortSignal): Promise<string> {
  return (await read(items.stamp.$get({ query: { directory } }, until(signal)))).stamp;
}

/** An item with all that was said about it. */
export const readItem = (directory: string, id: string, signal: AbortSignal) =>
  read(items[":id"].$get({ param: { id }, query: { directory } }, until(signal)));

export interface NewItem {
  title: string;
  description: string;
  priority: number;
  parentId?: string;
}

/** What one can do with the items of a folder. Each @throws Refusal. */
export function changesIn(directory: string) {
  const query = { directory };
  const of = (id: string) => ({ param: { id }, query });
  const one = items[":id"];
  return {
    create: (json: NewItem) => read(items.$post({ query, json })),
    change: (id: string, json: WorkItemChanges) => read(one.$patch({ ...of(id), json })),
    comment: (id: string, content: string) => read(one.comments.$post({ ...of(id), json: { content } })),
    close: (id: string, json: { force?: boolean; message?: string }) => read(one.close.$post({ ...of(id), json })),
    reopen: (id: string) => read(one.reopen.$post({ ...of(id), json: {} })),
    reparent: (id: string, parentId: string | null) => read(one.reparent.$post({ ...of(id), json: { parentId } })),
    addDependency: (id: string, dependsOnId: string, type: DependencyKind) =>
      read(one.dependencies.$post({ ...of(id), json: { dependsOnId, type } })),
    removeDependency: (id: string, dependsOnId: string) =>
      read(one.dependencies[":dependsOnId"].$delete({ param: { id, dependsOnId }, query })),
  };
}

export type ItemChanges = ReturnType<typeof changesIn>;
