import { isAbsolute } from "node:path";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { VaultBoard, VaultCommand } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { answerJson } from "./packed.ts";
import { body, faults, json } from "./shapes.ts";

const directory = z
  .string()
  .refine(isAbsolute, "give the whole path")
  .openapi({ description: "the vault, or a folder in it: an absolute path" });

const board = createRoute({
  method: "get",
  path: "/api/vaults",
  summary: "A vault with its tasks by folder, what waits for a human, and the loops that have tasks",
  request: { query: z.object({ directory }) },
  responses: { 200: json(VaultBoard, "the vault"), ...faults(400) },
});

const init = createRoute({
  method: "post",
  path: "/api/vaults",
  summary: "Lay out a vault, or what is missing of one; what is there stays",
  request: body(z.strictObject({ directory })),
  responses: {
    201: json(z.object({ root: z.string(), created: z.array(z.string()) }), "its root, and what was made in it"),
    ...faults(400, 409),
  },
});

const tell = createRoute({
  method: "post",
  path: "/api/vaults/tell",
  summary: "Tell all tasks of a vault to stop after their iteration, take that back, or put words down for a prompt",
  request: body(z.strictObject({ directory, command: VaultCommand })),
  responses: {
    200: json(z.object({ path: z.string() }), "the file that was written or removed, from the vault's root"),
    ...faults(400, 409),
  },
});

/**
 * Any folder may be named: whoever comes in here may have an agent work in it, too. Nothing of a vault is run by looking
 * at it.
 */
export function vaultRoutes({ hub }: ApiParts) {
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(board, async (c) => {
      const text = JSON.stringify(await hub.vault(c.req.valid("query").directory));
      return answerJson([text], text.length, c.req.header("accept-encoding")) as never;
    })
    .openapi(init, async (c) => c.json(await hub.initVault(c.req.valid("json").directory), 201))
    .openapi(tell, async (c) => {
      const { directory, command } = c.req.valid("json");
      return c.json(await hub.tellVault(directory, command), 200);
    });
}
