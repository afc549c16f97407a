import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRedactor } from "./redact.ts";
import { createRedactedDeltas } from "./redacted-deltas.ts";

test("secrets are taken out of texts, objects and arrays, and their names stand in their place", () => {
  const redactor = createRedactor(
    { ANTHROPIC_API_KEY: "sk-ant-123456", PATH: "/usr/bin" },
    { GITHUB_TOKEN: "ghp_abcdefgh", MY_PASSWORD: "sk-ant-1234567890" },
  );
  expect(
    redactor.value({ text: "the key sk-ant-123456!", list: ["ghp_abcdefgh", 7, null], k: { ghp_abcdefgh: true } }),
  ).toEqual({
    text: "the key [redacted ANTHROPIC_API_KEY]!",
    list: ["[redacted GITHUB_TOKEN]", 7, null],
    k: { "[redacted GITHUB_TOKEN]": true },
  });
  expect(redactor.text("sk-ant-1234567890")).toBe("[redacted MY_PASSWORD]");
  expect(redactor.text("/usr/bin")).toBe("/usr/bin");
});

test("a secret is known as JSON and URLs write it, too", () => {
  const pem = '-----BEGIN-----\nab"c\\d\n-----END-----';
  const redactor = createRedactor({
    DEPLOY_KEY: pem,
    DB: "postgres://me:p%40ss%20word@host/db",
    GIT: "https://ghp_0123456789@host/x",
  });
  for (const text of [pem, JSON.stringify(pem), encodeURIComponent(pem)])
    expect(redactor.text(text)).toContain("[redacted DEPLOY_KEY]");
  expect(redactor.text("postgres://me:p%40ss%20word@host/db, p@ss word")).toBe(
    "postgres://me:[redacted DB]@host/db, [redacted DB]",
  );
  expect(redactor.text("ghp_0123456789")).toBe("[redacted GIT]");
});

test.each([
  "DB_PASS",
  "MYSQL_PWD",
  "GITHUB_PAT",
  "DB_CONNECTION_STRING",
  "VAULT_SECRET_ID",
  "apikey",
  "NPM_AUTH",
  "x_token_y",
])("%s is the name of a secret", (name) =>
  expect(createRedactor({ [name]: "0123456789" }).text("0123456789")).toBe(`[redacted ${name}]`),
);

test.each(["GIT_AUTHOR_EMAIL", "XAUTHORITY", "PWD", "OLDPWD", "SSH_AUTH_SOCK", "API_KEY_FILE", "KEYBOARD", "PATH"])(
  "%s is none",
  (name) => expect(createRedactor({ [name]: "0123456789" }).text("0123456789")).toBe("0123456789"),
);

test("what is too short to tell stays", () => {
  expect(createRedactor({ A_TOKEN: "true", KEY: undefined }).text("true")).toBe("true");
});

test("characters that mean something in patterns are taken as they are", () => {
  const redactor = createRedactor({ A_SECRET: "a.b*c(d)[e]$^\\" });
  expect(redactor.text("x a.b*c(d)[e]$^\\ y")).toBe("x [redacted A_SECRET] y");
  expect(redactor.text("aXbXc(d)[e]$^\\")).toBe("aXbXc(d)[e]$^\\");
});

test("failures are told without secrets, their attempts too, and nothing but words is touched", () => {
  const redactor = createRedactor({ MODE_TOKEN: "timeout!!", API_KEY: "server00" });
  const attempts = [{ at: "2026-01-01T00:00:00.000Z", reason: "server" as const, message: "no server00" }];
  expect(redactor.failure({ reason: "server", message: "server00 timeout!!", attempts })).toEqual({
    reason: "server",
    message: "[redacted API_KEY] [redacted MODE_TOKEN]",
    attempts: [{ at: "2026-01-01T00:00:00.000Z", reason: "server", message: "no [redacted API_KEY]" }],
  });
});

test("however a text is cut into deltas, they add up to it without its secrets", () => {
  const redactor = createRedactor({ A_TOKEN: "abcabcabd", B_TOKEN: "cabdcabd!" });
  const pieces = fc.array(fc.constantFrom("a", "b", "c", "abc", "abd", "!", "abcabcabd", "cabd", " "), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(pieces, (deltas) => {
      const stream = createRedactedDeltas(redactor);
      const delta = (text: string) => ({
        type: "message.delta" as const,
        messageId: "m",
        kind: "text" as const,
        delta: text,
      });
      const out = deltas.map((text) => stream.add(delta(text))?.delta ?? "").join("") + (stream.end("m")?.delta ?? "");
      for (const secret of ["abcabcabd", "cabdcabd!"]) expect(out).not.toContain(secret);
      expect(stream.endAll()).toEqual([]);
      const without = createRedactor({});
      if (!deltas.join("").match(/abcabcabd|cabdcabd!/)) expect(out).toBe(without.text(deltas.join("")));
    }),
  );
});
