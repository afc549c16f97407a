import { OpenAPIHono } from "@hono/zod-openapi";
import { Fault, type Hub } from "@ralpher/contract";
import { admit } from "./admission/admit.ts";
import type { Lock } from "./admission/lock.ts";
import { answerFault, answerInvalid } from "./answer-fault.ts";
import { limitBody } from "./body-limit.ts";
import { serveDashboard } from "./dashboard.ts";
import { serveDocs } from "./docs/serve-docs.ts";
import type { Feed } from "./feed/feed.ts";
import { bundleRoutes } from "./routes/bundle.ts";
import { controlRoutes } from "./routes/control.ts";
import { dataRoutes } from "./routes/data.ts";
import { eventRoutes } from "./routes/events.ts";
import { gitRoutes } from "./routes/git.ts";
import { loopRoutes } from "./routes/loops.ts";
import { sessionRoutes } from "./routes/session.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { sodaRoutes } from "./routes/soda.ts";
import { systemRoutes } from "./routes/system.ts";
import { taskRoutes } from "./routes/tasks.ts";
import { totalsRoutes } from "./routes/totals.ts";
import { vaultRoutes } from "./routes/vaults.ts";
import { workItemRoutes } from "./routes/work-items.ts";
import { secureHeaders } from "./secure-headers.ts";

export interface ApiParts {
  hub: Hub;
  feed: Feed;
  version: string;
  /** Null: everybody on this machine comes in, and nobody else. */
  lock: Lock | null;
  /** Folder of the built dashboard, once it is built; null when there is none. */
  dashboard: Promise<string | null>;
  /** Told of what must not happen: a bug, with all its insides. */
  onBug: (error: unknown) => void;
}

/** All routes. The typed client knows them from here. */
export const routeGroups = [
  systemRoutes,
  sessionRoutes,
  totalsRoutes,
  loopRoutes,
  controlRoutes,
  gitRoutes,
  bundleRoutes,
  dataRoutes,
  sodaRoutes,
  taskRoutes,
  vaultRoutes,
  workItemRoutes,
  settingsRoutes,
  eventRoutes,
] as const;

/** The whole HTTP surface as one `fetch`. */
export function createApi(parts: ApiParts) {
  const api = new OpenAPIHono({ defaultHook: answerInvalid });
  api.onError(answerFault(parts.onBug));
  api.use(secureHeaders);
  api.use(admit(parts.lock));
  api.use(limitBody);
  for (const routes of routeGroups) api.route("/", routes(parts));
  serveDocs(api, parts.version);
  api.all("/api/*", (c) => {
    throw new Fault("not_found", { what: `${c.req.method} ${c.req.path} in this API` });
  });
  api.get("*", serveDashboard(parts.dashboard));
  return api;
}
