import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { serveDashboard } from "./dashboard.ts";

const folder = await mkdtemp(join(tmpdir(), "ralpher-dashboard-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
await Bun.write(join(folder, "index.html"), "any place");
await Bun.write(join(folder, "loop.html"), 'a loop <link href="/api/loops/%LOOP%/view">');
const app = new Hono().get("*", serveDashboard(Promise.resolve(folder)));
const textAt = async (path: string) => (await app.request(path)).text();

const id = "11111111-1111-4111-8111-111111111111";

test("[R-WEB-3] a loop's page and its tabs get the document that names the loop's data", async () => {
  for (const path of [`/${id}`, `/${id}/changes`, `/${id}?line=7`]) {
    expect(await textAt(path)).toBe(`a loop <link href="/api/loops/${id}/view">`);
  }
});

test("[R-WEB-5] nothing but an id is put into the document", async () => {
  for (const path of ["/", "/new", "/settings", `/${id}x`, `/${id.slice(1)}`, `/x/${id}`, `/${id}%22%3E`]) {
    expect(await textAt(path)).toBe("any place");
  }
});

test("a dashboard without a document for loops has one for any place", async () => {
  const bare = await mkdtemp(join(tmpdir(), "ralpher-dashboard-"));
  await Bun.write(join(bare, "index.html"), "any place");
  const answer = await new Hono().get("*", serveDashboard(Promise.resolve(bare))).request(`/${id}`);
  expect(await answer.text()).toBe("any place");
  await rm(bare, { recursive: true, force: true });
});
