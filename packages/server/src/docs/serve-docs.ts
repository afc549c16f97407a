import type { OpenAPIHono } from "@hono/zod-openapi";

/** GET /api/openapi.json and GET /api/docs. Made when first asked for: few ask, and it takes memory. */
export function serveDocs(api: OpenAPIHono, version: string): void {
  const make = async () => {
    const [{ documentOf }, { docsPolicy, renderDocs }] = await Promise.all([
      import("./document.ts"),
      import("./page.ts"),
    ]);
    const document = documentOf(api, version);
    return { json: JSON.stringify(document), page: renderDocs(document), policy: docsPolicy };
  };
  let making: ReturnType<typeof make> | undefined;
  const made = () => {
    making ??= make();
    return making;
  };
  api.get("/api/openapi.json", async (c) => c.body((await made()).json, 200, { "content-type": "application/json" }));
  api.get("/api/docs", async (c) => {
    const { page, policy } = await made();
    return c.html(page, 200, { "content-security-policy": policy, "cache-control": "no-cache" });
  });
}
