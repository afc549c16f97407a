import { expect, test } from "bun:test";
import { createEndableFetch } from "./endable-fetch.ts";

test("a body without end ends when we say so, and the server notices", async () => {
  const left = Promise.withResolvers<void>();
  await using server = openStreamServer((request) => {
    request.signal.addEventListener("abort", () => left.resolve());
    return new Response(new ReadableStream({ start: (controller) => controller.enqueue("one") }));
  });
  const endable = createEndableFetch();
  const response = await endable.fetch(server.url);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("one");
  const next = reader?.read();
  endable.end();
  endable.end();
  expect(await next).toMatchObject({ done: true });
  await left.promise;
});

test("a response that does not come need not be waited for", async () => {
  const asked = Promise.withResolvers<void>();
  await using server = openStreamServer(() => {
    asked.resolve();
    return new Promise<Response>(() => {});
  });
  const endable = createEndableFetch();
  const response = endable.fetch(server.url);
  await asked.promise;
  endable.end();
  await expect(response).rejects.toThrow();
});

function openStreamServer(fetch: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, development: false, fetch });
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) };
}
