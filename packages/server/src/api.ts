import { OpenAPIHono } from "@hono/zod-openapi";
import { Fault, type Hub } from "@ralpher/contract";
import { type Admission, admit } from "./admission.ts";
import { answerFault, answerInvalid } from "./answer-fault.ts";
import { serveDashboard } from "./dashboard.ts";
import type { Feed } from "./feed/feed.ts";
import { controlRoutes } from "./routes/control.ts";
import { dataRoutes } from "./routes/data.ts";
import { eventRoutes } from "./routes/events.ts";
import { loopRoutes } from "./routes/loops.ts";
import { systemRoutes } from "./routes/system.ts";

export interface ApiParts {
  hub: Hub;
  feed: Feed;
  version: string;
  admission: Admission;
  /** Folder of the built dashboard, once it is built; null when there is none. */
  dashboard: Promise<string | null>;
  /** Told of what must not happen: a bug, with all its insides. */
  onBug: (error: unknown) => void;
}

/** The whole HTTP surface as one `fetch`. */
export function createApi(parts: ApiParts) {
  const api = new OpenAPIHono({ defaultHook: answerInvalid });
  api.onError(answerFault(parts.onBug));
  api.use(admit(parts.admission));
  const routed = api
    .route("/", systemRoutes(parts))
    .route("/", loopRoutes(parts))
    .route("/", controlRoutes(parts))
    .route("/", dataRoutes(parts))
    .route("/", eventRoutes(parts));
  api.all("/api/*", (c) => {
    throw new Fault("not_found", { what: `${c.req.method} ${c.req.path} in this API` });
  });
  api.get("*", serveDashboard(parts.dashboard));
  return routed;
}
