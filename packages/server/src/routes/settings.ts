import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { Settings, SettingsChanges } from "@ralpher/contract";
import { answerInvalid } from "../answer-fault.ts";
import type { ApiParts } from "../api.ts";
import { body, faults, json } from "./shapes.ts";

const get = createRoute({
  method: "get",
  path: "/api/settings",
  summary: "What new loops get when nobody says otherwise",
  responses: { 200: json(Settings, "the settings") },
});

const change = createRoute({
  method: "patch",
  path: "/api/settings",
  summary: "Change settings; what is absent stays",
  request: body(SettingsChanges),
  responses: { 200: json(Settings, "the settings now"), ...faults(400) },
});

export function settingsRoutes({ hub }: ApiParts) {
  return new OpenAPIHono({ defaultHook: answerInvalid })
    .openapi(get, async (c) => c.json(await hub.settings(), 200))
    .openapi(change, async (c) => c.json(await hub.changeSettings(c.req.valid("json")), 200));
}
