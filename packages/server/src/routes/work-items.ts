import { isAbsolute } from "node:path";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import {
  Comment,
  DependencyKind,
  Fault,
  WorkBoard,
  WorkItem,
  WorkItemChanges,
  WorkItemDraft,
  WorkItemStatus,
  type WorkItems,
  whyBlocked,
} from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { createKnownFolders } from "./known-folders.ts";
import { answerJson } from "./packed.ts";
import { body, faults, json } from "./shapes.ts";

const newestComments = 200;

const directory = z
  .string()
  .refine(isAbsolute, "give the whole path")
  .openapi({ description: "the folder of a loop known here, or the loop's own tree: an absolute path" });
const folder = z.object({ directory });
const item = z.object({ id: z.string().min(1) });
const itemId = z.string().min(1).max(300);
const longText = z.string().max(100_000, "longer than a hundred thousand characters");
const Detail = z.object({
  item: WorkItem,
  /** All of them, oldest first. */
  comments: z.array(Comment),
});

const board = createRoute({
  method: "get",
  path: "/api/work-items",
  summary: "The work items of a folder's project, in every status: what is ready, what is blocked and why",
  request: {
    query: folder.extend({ root: itemId.optional().openapi({ description: "only this item and all below" }) }),
  },
  responses: { 200: json(WorkBoard, "the items"), ...faults(400, 403, 404, 503) },
});
const stamp = createRoute({
  method: "get",
  path: "/api/work-items/stamp",
  summary: "A text that is another one when the work items may have changed: cheap enough to ask for every few seconds",
  request: { query: folder },
  responses: { 200: json(z.object({ stamp: z.string() }), "the stamp"), ...faults(400, 403) },
});
const detail = createRoute({
  method: "get",
  path: "/api/work-items/{id}",
  summary: "A work item with all that was said about it",
  request: { params: item, query: folder },
  responses: { 200: json(Detail, "the item"), ...faults(400, 403, 404, 503) },
});
const create = createRoute({
  method: "post",
  path: "/api/work-items",
  summary: "Make a work item",
  request: { query: folder, ...body(WorkItemDraft.extend({ description: longText.default("") })) },
  responses: { 201: json(WorkItem, "the new item"), ...faults(400, 403, 404, 409, 503) },
});
const change = createRoute({
  method: "patch",
  path: "/api/work-items/{id}",
  summary: "Change a work item's title, description, priority or status; what is absent stays",
  request: { params: item, query: folder, ...body(WorkItemChanges) },
  responses: { 200: json(WorkItem, "the item"), ...faults(400, 403, 404, 409, 503) },
});

/** The route of something that is done to an item. */
const verb = <V extends string, S extends z.ZodType, A extends z.ZodType>(
  name: V,
  summary: string,
  request: S,
  answer: A,
) =>
  createRoute({
    method: "post",
    path: `/api/work-items/{id}/${name}`,
    summary,
    request: { params: item, query: folder, ...body(request, false) },
    responses: { 200: json(answer, "done"), ...faults(400, 403, 404, 409, 503) },
  });

const comment = verb(
  "comments",
  "Say something about a work item; a loop that is stuck over it goes on",
  z.strictObject({ content: longText.trim().min(1, "there is nothing to say") }),
  Comment,
);
const close = verb(
  "close",
  "Close a work item; `message` becomes a comment. One with open children only by `force`",
  z.strictObject({ force: z.boolean(), message: longText }).partial().optional(),
  WorkItem,
);
const reopen = verb(
  "reopen",
  "Open a closed work item again",
  z
    .strictObject({ status: WorkItemStatus.exclude(["closed"]) })
    .partial()
    .optional(),
  WorkItem,
);
const reparent = verb(
  "reparent",
  "Put a work item under another, or under none",
  z.strictObject({ parentId: itemId.nullable() }),
  WorkItem,
);
const addDependency = verb(
  "dependencies",
  "Have a work item wait for another, or name it as related; again is no change",
  z.strictObject({ dependsOnId: itemId, type: DependencyKind.default("blocks") }),
  WorkItem,
);
const removeDependency = createRoute({
  method: "delete",
  path: "/api/work-items/{id}/dependencies/{dependsOnId}",
  summary: "Take a dependency away; one that is not there is no fault",
  request: { params: item.extend({ dependsOnId: itemId }), query: folder },
  responses: { 200: json(WorkItem, "the item"), ...faults(400, 403, 404, 409, 503) },
});

/** What is changed here, a human changes. */
const source = "user";

export function workItemRoutes({ hub }: ApiParts) {
  const requireKnown = createKnownFolders(hub);
  const within = async <T>(text: string, work: (items: WorkItems) => Promise<T>): Promise<T> => {
    await using items = hub.openWorkItems(await requireKnown(text));
    return await work(items);
  };
  /** Do something with an item of the folder's own project: ids of all projects are known to the storage. */
  const withItem = <T>(
    { id, directory }: { id: string; directory: string },
    work: (items: WorkItems, id: string) => Promise<T>,
  ): Promise<T> =>
    within(directory, async (items) => {
      await requireOwn(items, id);
      return await work(items, id);
    });

  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(stamp, async (c) =>
      c.json({ stamp: await within(c.req.valid("query").directory, async (items) => items.stamp()) }, 200),
    )
    .openapi(board, async (c) => {
      const { directory, root } = c.req.valid("query");
      const text = JSON.stringify(await within(directory, (items) => readBoard(items, root)));
      return answerJson([text], text.length, c.req.header("accept-encoding")) as never;
    })
    .openapi(detail, async (c) => {
      const {
        comments,
        children: _,
        titles: __,
        ...found
      } = await withItem({ ...c.req.valid("param"), ...c.req.valid("query") }, (items, id) => items.require(id));
      return c.json({ item: found, comments }, 200);
    })
    .openapi(create, async (c) => {
      const draft = c.req.valid("json");
      const made = await within(c.req.valid("query").directory, async (items) => {
        for (const id of [draft.parentId, draft.dependsOnId]) if (id !== undefined) await requireOwn(items, id);
        return await items.create(draft);
      });
      return c.json(made, 201);
    })
    .openapi(change, async (c) =>
      c.json(
        await withItem({ ...c.req.valid("param"), ...c.req.valid("query") }, (items, id) =>
          items.update(id, c.req.valid("json")),
        ),
        200,
      ),
    )
    .openapi(comment, async (c) =>
      c.json(
        await withItem({ ...c.req.valid("param"), ...c.req.valid("query") }, (items, id) =>
          items.comment(id, { content: c.req.valid("json").content, source }),
        ),
        200,
      ),
    )
    .openapi(close, async (c) => {
      const { force, message } = c.req.valid("json") ?? {};
      const said = message?.trim() || undefined;
      const { closed, refused } = await withItem({ ...c.req.valid("param"), ...c.req.valid("query") }, (items, id) =>
        items.close([id], { force, message: said, source }),
      );
      const [first] = closed;
      if (first === undefined) throw refused[0]?.fault ?? new Error("nothing was closed, and nothing says why");
      return c.json(first, 200);
    })
    .openapi(reopen, async (c) =>
      c.json(
        await withItem({ ...c.req.valid("param"), ...c.req.valid("query") }, (items, id) =>
          items.reopen(id, c.req.valid("json")?.status),
        ),
        200,
      ),
    )
    .openapi(reparent, async (c) => {
      const { parentId } = c.req.valid("json");
      const moved = await withItem({ ...c.req.valid("param"), ...c.req.valid("query") }, async (items, id) => {
        if (parentId !== null) await requireOwn(items, parentId);
        return await items.reparent(id, parentId);
      });
      return c.json(moved, 200);
    })
    .openapi(addDependency, async (c) => {
      const { dependsOnId, type } = c.req.valid("json");
      const changed = await withItem({ ...c.req.valid("param"), ...c.req.valid("query") }, async (items, id) => {
        await requireOwn(items, dependsOnId);
        return await items.addDependency(id, dependsOnId, type);
      });
      return c.json(changed, 200);
    })
    .openapi(removeDependency, async (c) => {
      const { dependsOnId } = c.req.valid("param");
      return c.json(
        await withItem({ ...c.req.valid("param"), ...c.req.valid("query") }, (items, id) =>
          items.removeDependency(id, dependsOnId),
        ),
        200,
      );
    });
}

/** @throws Fault `work_item_not_found`, also for an item of another project: who may see this folder may not see that */
async function requireOwn(items: WorkItems, id: string): Promise<void> {
  const [project, { projectId }] = [await items.project(), await items.require(id)];
  if (projectId !== project.id) throw new Fault("work_item_not_found", { id });
}

async function readBoard(items: WorkItems, root: string | undefined): Promise<WorkBoard> {
  // First: what changes while the rest is read is seen at the next look.
  const stamp = items.stamp();
  const project = await items.project();
  const all = await items.list();
  const allReady = new Set((await items.ready({ statuses: ["open"] })).map(({ id }) => id));
  if (root !== undefined) await requireOwn(items, root);
  const { items: shown, comments } =
    root === undefined
      ? { items: all, comments: (await items.comments()).slice(-newestComments) }
      : await items.snapshot(root);
  const byId = new Map(all.map((item) => [item.id, item]));
  return {
    project,
    items: shown,
    ready: shown.filter(({ id }) => allReady.has(id)).map(({ id }) => id),
    blocked: shown.flatMap((item) => {
      const reason = item.status === "closed" ? null : whyBlocked(item, byId, comments);
      return reason === null ? [] : [{ id: item.id, reason }];
    }),
    comments,
    stamp,
  };
}
