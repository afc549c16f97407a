import { zodToOpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import * as contract from "@ralpher/contract";

/** What an OpenAPI document is, as far as it is walked here. */
export interface Document {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content; headers?: unknown }>;
}

export type Content = Record<string, { schema: Schema }>;

/** A JSON schema. */
export interface Schema {
  [key: string]: unknown;
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: Schema[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

const methods = ["get", "post", "put", "patch", "delete"];

/** The chapters, in order, and the paths that belong to them: the first that fits. */
const chapters: { name: string; description: string; paths: RegExp }[] = [
  { name: "Events", description: "What happens, as it happens: server-sent events.", paths: /events$/ },
  { name: "Loops", description: "Make, list, change, remove.", paths: /^\/api\/loops(\/\{id\}(\/view)?)?$/ },
  {
    name: "Steering",
    description: "Start, stop, and say something.",
    paths: /\/(start|stop|pause|resume|say|say\/\{seq\}|choose)$/,
  },
  {
    name: "History",
    description: "What a loop did, paged by the sequence number of its events.",
    paths: /\/(logs|messages|iterations|search|soda|sense|task)$/,
  },
  {
    name: "Work",
    description: "What a loop made, and taking it over.",
    paths: /\/(diff|plan|status-file|git|accept|discard|restore|update-branch|push|pull-request)$/,
  },
  {
    name: "Work items",
    description: "The tasks of a loop's project, shared with `trc` and with the loop.",
    paths: /^\/api\/work-items/,
  },
  {
    name: "Vaults",
    description: "Folders of task files, which loops of the strategy `task` work off.",
    paths: /^\/api\/vaults/,
  },
  { name: "Files", description: "Loops as files, to keep and to hand on.", paths: /\/(export|import)$/ },
  { name: "Server", description: "The server and the machine it is on.", paths: /./ },
];

const about = `The API of Ralpher. JSON in, JSON out. Whatever is refused is answered with \`{error, message, …}\`:
a code for programs, a sentence with the next action for people, and what else the code carries.
Without a token the server answers this machine only; with one, send it as \`Authorization: Bearer …\`.`;

/** The OpenAPI 3.1 document of these routes, made from the schemas that check the requests. */
export function documentOf(api: OpenAPIHono, version: string): Document {
  nameSchemas();
  api.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: "RALPHER_TOKEN. Browsers give it once, at POST /api/session, and have a cookie from then on.",
  });
  const document = api.getOpenAPI31Document({
    openapi: "3.1.1",
    info: { title: "Ralpher", version, description: about, license: { name: "MIT" } },
    tags: chapters.map(({ name, description }) => ({ name, description })),
    // Either: a server without a token asks for none.
    security: [{ token: [] }, {}],
  }) as unknown as Document;
  for (const schema of Object.values(document.components.schemas)) tidy(schema);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (methods.includes(method)) complete(operation, method, path);
    }
  }
  return document;
}

let isNamed = false;

/** Schemas of the contract, and every type of event, appear under their own names. */
function nameSchemas(): void {
  if (isNamed) return;
  isNamed = true;
  const name = (schema: z.ZodType, refId: string) =>
    zodToOpenAPIRegistry.add(schema, { ...zodToOpenAPIRegistry.get(schema), _internal: { refId } });
  for (const [refId, schema] of Object.entries(contract)) if (schema instanceof z.ZodType) name(schema, refId);
  for (const option of [...contract.DurableEvent.options, ...contract.EphemeralEvent.options]) {
    name(option, eventName(option));
  }
}

/** `loop.tool_call.start` → `LoopToolCallStartEvent` */
function eventName({ shape }: { shape: { type: { value: string } } }): string {
  return `${shape.type.value.replace(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Event`;
}

/** What holds for every route is said here once. */
function complete(operation: Operation, method: string, path: string): void {
  const { responses } = operation;
  const refuse = (status: number, description: string) => {
    const schema = { $ref: "#/components/schemas/Fault" };
    responses[status] ??= { description, content: { "application/json": { schema } } };
  };
  operation.operationId = operationId(method, path);
  operation.tags = [chapters.find(({ paths }) => paths.test(path))?.name ?? "Server"];
  if (operation.security === undefined) refuse(401, "no token, or a wrong one");
  refuse(403, "another site's page, or another host's name");
  if (operation.requestBody !== undefined) refuse(413, "the request is too large");
  refuse(500, "a bug; the server's log has the details");
  for (const { schema } of operation.parameters ?? []) {
    tidy(schema);
    // Made from text: the absent, too, would do for a number, and a yes or no is one of two words.
    if (Array.isArray(schema.type)) schema.type = schema.type.filter((type) => type !== "null")[0] ?? "string";
    if (typeof schema.default === "boolean") schema.type = "boolean";
  }
  for (const { content } of [operation.requestBody, ...Object.values(responses)].filter((part) => part !== undefined)) {
    for (const { schema } of Object.values(content ?? {})) tidy(schema);
  }
}

/** `post`, `/api/loops/{id}/update-branch` → `postLoopsIdUpdateBranch` */
function operationId(method: string, path: string): string {
  const words = path.replace("/api/", "").match(/\w+/g) ?? [];
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Mend what the generator writes that is no JSON schema: a pattern with the flags of its language. */
function tidy(schema: Schema): void {
  if (typeof schema.pattern === "string") schema.pattern = schema.pattern.replace(/\/[a-z]+$/, "");
  for (const value of Object.values(schema)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (typeof inner === "object" && inner !== null) tidy(inner as Schema);
    }
  }
}
