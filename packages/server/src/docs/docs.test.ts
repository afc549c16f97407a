import { expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createApi } from "../api.ts";
import { Feed } from "../feed/feed.ts";
import { openAll } from "../stage.fixture.ts";
import type { Document } from "./document.ts";

const readDocument = async (url: string): Promise<Document> =>
  (await (await fetch(`${url}/api/openapi.json`)).json()) as Document;

test("[R-API-4] the document is valid OpenAPI 3.1, and all it points to is there", async () => {
  await using all = await openAll();
  const document = await readDocument(all.server.url);
  expect(document.openapi).toStartWith("3.1.");
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
  const text = JSON.stringify(document);
  const refs = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? ""));
  for (const ref of refs) expect(Object.keys(document.components.schemas)).toContain(ref);
  expect(document.components.schemas.LoopErrorEvent?.required).toContain("error");
});

test("[R-API-4] every route is in the document, with what it does and all it can answer", async () => {
  await using all = await openAll();
  const { hub } = all.lab;
  using feed = new Feed(hub);
  const api = createApi({
    hub,
    feed,
    lock: null,
    version: "1",
    dashboard: Promise.resolve(null),
    onBug: () => {},
  });
  const document = await readDocument(all.server.url);
  const routed = api.routes
    .filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/"))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)(\{[^}]*\})?/g, "{$1}")}`)
    .filter((route) => !["GET /api/openapi.json", "GET /api/docs"].includes(route));
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual([...new Set(routed)].toSorted());
  for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations))) {
    expect(operation.summary).not.toBe("");
    const statuses = Object.keys(operation.responses);
    expect(statuses.some((status) => status.startsWith("2"))).toBe(true);
    expect(statuses).toContain("500");
    if (operation.security === undefined) expect(statuses).toContain("401");
    if (operation.requestBody !== undefined) expect(statuses).toContain("413");
  }
  const ids = Object.values(document.paths).flatMap((some) =>
    Object.values(some).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test("[R-API-4] the readable page has every route and type, runs nothing, and loads nothing", async () => {
  await using all = await openAll();
  const document = await readDocument(all.server.url);
  const response = await fetch(`${all.server.url}/api/docs`, { headers: { "sec-fetch-site": "cross-site" } });
  const page = await response.text();
  expect(response.headers.get("content-type")).toStartWith("text/html");
  const policy = response.headers.get("content-security-policy") ?? "";
  const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
  expect(policy).toContain(`'sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}'`);
  expect(policy).toStartWith("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(page).not.toMatch(/<script|<link|<img| style=| on\w+=/);
  const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(targets).toContain(target ?? "");
  for (const name of Object.keys(document.components.schemas)) expect(targets).toContain(`type-${name}`);
  for (const path of Object.keys(document.paths)) expect(page).toContain(path);
});
