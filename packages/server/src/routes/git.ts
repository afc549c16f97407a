import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { FileDiff, GitFacts, type LoopId, PullRequest, PushResult, UpdateMethod } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { body, commandRoute, faults, idParam, json, loopIdOf, Success, success } from "./shapes.ts";

/** Larger patches are left out unless they are asked for one by one, in UTF-16 units. */
const largestPatch = 200_000;
const allPatches = 1_000_000;

const commit = z.string().regex(/^[0-9a-f]{7,64}$/, "a commit's name: 7 to 64 hex digits");
const remote = z.string().min(1).max(200).optional();
const File = z.object({ content: z.string().nullable() });

const accept = commandRoute(
  "accept",
  "Merge the loop's branch into the branch it began from, with a merge commit or squashed into one",
  z.strictObject({ squash: z.boolean() }).partial().optional(),
  Success.extend({ mergeCommit: z.string() }),
);
const updateBranch = createRoute({
  method: "post",
  path: "/api/loops/{id}/update-branch",
  summary: "Bring the loop's branch up to date with the branch it began from; the loop must rest",
  request: { params: idParam, ...body(z.strictObject({ method: UpdateMethod })) },
  responses: { 200: json(Success.extend({ head: z.string() }), "done"), ...faults(400, 404, 409, 503) },
});
const restore = commandRoute("restore", "Undo a discard", z.strictObject({}).optional(), Success);
const push = commandRoute(
  "push",
  "Push the loop's branch to a remote, never by force",
  z.strictObject({ remote }).partial().optional(),
  PushResult,
);
const pullRequest = commandRoute(
  "pull-request",
  "Push the branch if need be, and make a pull request of it, or name the page where a human makes it",
  z
    .strictObject({
      title: z.string().trim().min(1).max(500),
      body: z.string().max(60_000),
      draft: z.boolean(),
      remote,
    })
    .partial()
    .optional(),
  PullRequest,
);
const facts = createRoute({
  method: "get",
  path: "/api/loops/{id}/git",
  summary: "Where the loop's branch stands; no remote is asked",
  request: { params: idParam },
  responses: {
    200: json(z.object({ git: GitFacts.nullable() }), "the facts; null for a loop without git"),
    ...faults(400, 404),
  },
});
const diff = createRoute({
  method: "get",
  path: "/api/loops/{id}/diff",
  summary: "All changes of a loop, or those of a commit, of an iteration, or of one file",
  description:
    "Without `path`, the patch of a file above 200 kB is left out, and all patches after 1 MB in sum; ask for them one by one.",
  request: {
    params: idParam,
    query: z
      .object({
        commit: commit.optional(),
        iteration: z.coerce.number().int().positive().optional(),
        path: z.string().min(1).max(4096).optional(),
        patches: z.stringbool().default(true),
      })
      .refine((query) => query.commit === undefined || query.iteration === undefined, {
        path: ["iteration"],
        message: "either a commit or an iteration",
      }),
  },
  responses: { 200: json(z.array(FileDiff), "the changed files"), ...faults(400, 404, 409) },
});
const file = <P extends string>(path: P, name: string) =>
  createRoute({
    method: "get",
    path: `/api/loops/{id}/${path}`,
    summary: `The loop's ${name}, as it is now or as a commit has it`,
    request: { params: idParam, query: z.object({ commit: commit.optional() }) },
    responses: { 200: json(File, "the file; null when there is none"), ...faults(400, 404, 413) },
  });
const plan = file("plan", ".planning/plan.md");
const status = file("status-file", ".planning/status.md");

export function gitRoutes({ hub }: ApiParts) {
  const idOf = (c: { req: { valid: (from: "param") => { id: string } } }): LoopId => loopIdOf(c.req.valid("param").id);
  const read = async (loopId: LoopId, path: string, at: string | undefined) => ({
    content: await hub.readFile(loopId, path, at === undefined ? undefined : { commit: at }),
  });
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(accept, async (c) => {
      const view = await hub.dispatch({ type: "accept", loopId: idOf(c), squash: c.req.valid("json")?.squash });
      const mergeCommit = view?.phase.status === "accepted" ? view.phase.mergeCommit : "";
      return c.json({ ...success, mergeCommit }, 200);
    })
    .openapi(updateBranch, async (c) => {
      const { method } = c.req.valid("json");
      const view = await hub.dispatch({ type: "update-branch", loopId: idOf(c), method });
      return c.json({ ...success, head: view?.head ?? "" }, 200);
    })
    .openapi(restore, async (c) => {
      await hub.dispatch({ type: "restore", loopId: idOf(c) });
      return c.json(success, 200);
    })
    .openapi(facts, async (c) => c.json({ git: await hub.facts(idOf(c)) }, 200))
    .openapi(push, async (c) => c.json(await hub.push(idOf(c), c.req.valid("json")), 200))
    .openapi(pullRequest, async (c) => {
      const { title, body: text, draft, remote: name } = c.req.valid("json") ?? {};
      const made = await hub.pullRequest(idOf(c), {
        ...(title === undefined ? {} : { title }),
        ...(text === undefined ? {} : { body: text }),
        ...(draft === undefined ? {} : { draft }),
        remote: name,
      });
      return c.json(made, 200);
    })
    .openapi(diff, async (c) => {
      const { iteration, ...of } = c.req.valid("query");
      const files = await hub.diff(idOf(c), iteration === undefined ? of : { ...of, iteration });
      return c.json(of.path === undefined ? withoutLargePatches(files) : files, 200);
    })
    .openapi(plan, async (c) => c.json(await read(idOf(c), ".planning/plan.md", c.req.valid("query").commit), 200))
    .openapi(status, async (c) => c.json(await read(idOf(c), ".planning/status.md", c.req.valid("query").commit), 200));
}

function withoutLargePatches(files: FileDiff[]): FileDiff[] {
  let sum = 0;
  return files.map(({ patch, ...facts }) => {
    if (patch === undefined || patch.length > largestPatch || sum > allPatches) return facts;
    sum += patch.length;
    return sum > allPatches ? facts : { ...facts, patch };
  });
}
