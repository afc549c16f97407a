import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { openServer } from "../open-server.ts";
import { openAll } from "../stage.fixture.ts";
import { createAttempts } from "./attempts.ts";

const token = "a-long-secret";
const bearer = { authorization: `Bearer ${token}` };
const cookieOf = (headers: Headers) => headers.get("set-cookie")?.split(";")[0] ?? "";

describe("who may come in", () => {
  test("a request that names another host, or comes from another site, is refused", async () => {
    await using all = await openAll();
    const { port } = all.server;
    const statusOf = async (headers: Record<string, string>, method = "GET") =>
      (await all.call(method, "/api/loops", method === "POST" ? all.request : undefined, headers)).status;
    expect(await statusOf({ host: `evil.example:${port}` })).toBe(403);
    expect(await statusOf({ host: `localhost:${port}` })).toBe(200);
    expect(await statusOf({ origin: "http://evil.example" }, "POST")).toBe(403);
    expect(await statusOf({ origin: "null" }, "POST")).toBe(403);
    expect(await statusOf({ origin: `http://127.0.0.1:${port + 1}` }, "POST")).toBe(403);
    expect(await statusOf({ origin: all.server.url }, "POST")).toBe(201);
    expect(await statusOf({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await statusOf({ "sec-fetch-site": "same-site" })).toBe(403);
    expect(await statusOf({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await statusOf({ "sec-fetch-site": "none" })).toBe(200);
  });

  test("with a token, nobody reads or does anything without it; programs send it along", async () => {
    await using all = await openAll({ token });
    for (const path of ["/api/loops", "/api/events", "/api/settings", "/api/docs", "/api/nothing", "/api"]) {
      expect([path, (await all.call("GET", path)).status]).toEqual([path, 401]);
    }
    const refused = await all.call("POST", "/api/loops", all.request, { authorization: "Bearer wrong" });
    expect([refused.status, refused.body.error]).toEqual([401, "unauthorized"]);
    expect((await all.call("GET", "/api/loops", undefined, bearer)).status).toBe(200);
    expect((await all.call("GET", `/api/loops?token=${token}`)).status).toBe(401);
    expect((await all.call("GET", "/api/health")).status).toBe(200);
  });

  test("however a path is written, what it leads to needs the token, and is no other site's", async () => {
    await using all = await openAll({ token });
    expect((await all.call("GET", "/ap%69/settings")).status).toBe(401);
    expect((await all.call("GET", "/%61pi/loops")).status).toBe(401);
    expect((await all.call("POST", "/%61pi/loops", all.request)).status).toBe(401);
    expect(
      (await all.call("GET", "/%61pi/loops", undefined, { ...bearer, "sec-fetch-site": "cross-site" })).status,
    ).toBe(403);
  });

  test("a browser gives the token once and has a cookie then, which holds no token and ends by itself", async () => {
    await using all = await openAll({ token });
    expect((await all.call("GET", "/api/session")).body).toEqual({ required: true, entered: false });
    expect((await all.call("POST", "/api/session", { token: "wrong" })).status).toBe(401);
    const entered = await all.call("POST", "/api/session", { token }, { origin: all.server.url });
    const set = entered.headers.get("set-cookie") ?? "";
    for (const attribute of ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="]) expect(set).toContain(attribute);
    expect(set).not.toContain("Secure");
    expect(set).not.toContain(token);
    const cookie = cookieOf(entered.headers);
    expect((await all.call("GET", "/api/loops", undefined, { cookie })).status).toBe(200);
    expect((await all.call("GET", "/api/session", undefined, { cookie })).body.entered).toBe(true);
    const later = cookie.replace(/=(\d+)/, (_, until) => `=${Number(until) + 1}`);
    expect((await all.call("GET", "/api/loops", undefined, { cookie: later })).status).toBe(401);
    const left = await all.call("DELETE", "/api/session", undefined, { cookie });
    expect(left.headers.get("set-cookie")).toContain("Max-Age=0");
  });

  test("another site's page cannot use the cookie", async () => {
    await using all = await openAll({ token });
    const cookie = cookieOf((await all.call("POST", "/api/session", { token })).headers);
    const post = (origin: string) => all.call("POST", "/api/loops", all.request, { cookie, origin });
    expect((await post("http://evil.example")).status).toBe(403);
    expect((await post(all.server.url)).status).toBe(201);
    expect((await all.call("GET", "/api/loops", undefined, { cookie, "sec-fetch-site": "same-site" })).status).toBe(
      403,
    );
  });

  test("the cookie is kept from plain HTTP once the browser came over TLS", async () => {
    await using all = await openAll({ token });
    const secure = await all.call("POST", "/api/session", { token }, { "x-forwarded-proto": "https" });
    expect(secure.headers.get("set-cookie")).toContain("Secure");
  });

  test("the printed address lets in and leads to the page without the token; a wrong one only to the page", async () => {
    await using all = await openAll({ token });
    const open = (path: string) => fetch(all.server.url + path, { redirect: "manual" });
    const right = await open(`/some-loop?token=${token}&tab=log`);
    expect([right.status, right.headers.get("location")]).toEqual([302, "/some-loop?tab=log"]);
    expect((await all.call("GET", "/api/loops", undefined, { cookie: cookieOf(right.headers) })).status).toBe(200);
    const wrong = await open("/?token=wrong");
    expect([wrong.status, wrong.headers.get("location"), wrong.headers.get("set-cookie")]).toEqual([302, "/", null]);
    expect((await open(`//evil.example/?token=${token}`)).headers.get("location")).toBe("/evil.example/");
  });

  test("a server without a token says that none is needed", async () => {
    await using all = await openAll();
    expect((await all.call("GET", "/api/session")).body).toEqual({ required: false, entered: true });
    const entered = await all.call("POST", "/api/session", { token: "any" });
    expect([entered.status, entered.headers.get("set-cookie")]).toEqual([200, null]);
  });

  test("whoever guesses is made to wait, though others with a cookie are not", async () => {
    await using all = await openAll({ token });
    const cookie = cookieOf((await all.call("POST", "/api/session", { token })).headers);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++)
      statuses.push((await all.call("POST", "/api/session", { token: `guess ${n}` })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await all.call("GET", "/api/loops", undefined, bearer);
    expect([refused.status, refused.body.error]).toEqual([429, "too_many_attempts"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await all.call("GET", "/api/loops", undefined, { cookie })).status).toBe(200);
  });

  test("asking whether a token is the right one is guessing, too", async () => {
    await using all = await openAll({ token });
    const entered = async (given: string) =>
      (await all.call("GET", "/api/session", undefined, { authorization: `Bearer ${given}` })).body.entered;
    expect(await entered(token)).toBe(true);
    for (let n = 0; n < 10; n++) expect(await entered(`guess ${n}`)).toBe(false);
    expect(await entered(token)).toBe(false);
    expect((await all.call("GET", "/api/loops", undefined, bearer)).status).toBe(429);
  });

  test("wrong tokens are forgiven one by one, and counted for each address", () => {
    let now = 0;
    const attempts = createAttempts(() => now);
    for (let n = 0; n < 10; n++) attempts.count("here");
    expect(() => attempts.requireLeft("here")).toThrow("Try again in 6 seconds");
    attempts.requireLeft("there");
    now = 6_000;
    attempts.requireLeft("here");
    attempts.count("here");
    expect(() => attempts.requireLeft("here")).toThrow("Too many wrong tokens");
  });

  test("no address but loopback is listened on without a token", async () => {
    await using all = await openAll();
    const options = { hub: all.lab.hub, port: 0, tries: 1, version: "1", dashboard: Promise.resolve(null) };
    expect(() => openServer({ ...options, hostname: "0.0.0.0", token: null, onBug: () => {} })).toThrow(
      "lets others in",
    );
  });

  test("a taken port is a fault, or the next one is tried", async () => {
    await using all = await openAll();
    const common = { hub: all.lab.hub, version: "1", dashboard: Promise.resolve(null), onBug: () => {} };
    const options = { ...common, hostname: "127.0.0.1", token: null };
    expect(() => openServer({ ...options, port: all.server.port, tries: 1 })).toThrow(`Port ${all.server.port}`);
    await using next = openServer({ ...options, port: all.server.port, tries: 10 });
    expect(next.port).toBeGreaterThan(all.server.port);
    expect(() => openServer({ ...options, hostname: "203.0.113.1", token, port: 0, tries: 1 })).toThrow(
      "cannot listen on 203.0.113.1",
    );
  });
});

describe("what is answered whatever comes", () => {
  test("[R-API-5] every answer tells browsers to run nothing of it", async () => {
    await using all = await openAll();
    for (const path of ["/api/loops", "/api/nothing", "/api/events", "/"]) {
      const response = await fetch(all.server.url + path);
      await response.body?.cancel();
      expect([path, response.headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
      expect(response.headers.get("content-security-policy")).toStartWith("default-src 'none'");
      expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
  });

  test("[R-API-5] a request that is too large is refused in words, with a length told before or without", async () => {
    await using all = await openAll();
    const prompt = "x".repeat(5 * 1024 * 1024);
    const told = await all.call("POST", "/api/loops", { ...all.request, prompt });
    expect([told.status, told.body.error]).toEqual([413, "too_large"]);
    const pieces = async function* () {
      for (let n = 0; n < 80; n++) yield new Uint8Array(64 * 1024);
    };
    const untold = await fetch(`${all.server.url}/api/loops`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new ReadableStream({
        async start(controller) {
          for await (const piece of pieces()) controller.enqueue(piece);
          controller.close();
        },
      }),
    });
    expect([untold.status, ((await untold.json()) as { error: string }).error]).toEqual([413, "too_large"]);
    expect(all.bugs).toEqual([]);
  });

  test("[R-API-5] nonsense is refused without insides", async () => {
    await using all = await openAll();
    const { port } = all.server;
    const answers = await Promise.all(
      [
        "GET /api/loops/%E0%A4%A HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        "GET /%ff%00 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        "GET /api/loops HTTP/1.1\r\nhost: :::\r\nconnection: close\r\n\r\n",
        "POST /api/loops HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\nnull",
        'POST /api/loops HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 17\r\n\r\n{"__proto__":[{}]',
        "GET /api/loops HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n",
      ].map((request) => exchange(port, request)),
    );
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
      expect(answer).not.toMatch(/\bat .*\.ts|node_modules|Error:/);
    }
    expect(all.bugs).toEqual([]);
  });
});

/** Send these bytes, and read until the other side closes. */
function exchange(port: number, request: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(request));
  socket.on("data", (bytes) => {
    text += bytes;
  });
  socket.on("close", () => resolve(text));
  return promise;
}
