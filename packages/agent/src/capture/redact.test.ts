import { expect, test } from "bun:test";
import { createRedactor } from "./redact.ts";

test("secrets are taken out of texts, objects and arrays, and their names stand in their place", () => {
  const redact = createRedactor(
    { ANTHROPIC_API_KEY: "sk-ant-123456", PATH: "/usr/bin", DB: "postgres://me:pass%20word@host/db" },
    { GITHUB_TOKEN: "ghp_abcdefgh", MY_PASSWORD: "sk-ant-1234567890" },
  );
  expect(
    redact({ text: "the key sk-ant-123456!", list: ["ghp_abcdefgh", 7, null], sk: { ghp_abcdefgh: true } }),
  ).toEqual({
    text: "the key [redacted ANTHROPIC_API_KEY]!",
    list: ["[redacted GITHUB_TOKEN]", 7, null],
    sk: { "[redacted GITHUB_TOKEN]": true },
  } as never);
  expect(redact("sk-ant-1234567890")).toBe("[redacted MY_PASSWORD]");
  expect(redact("it is pass word")).toBe("it is [redacted DB]");
  expect(redact("/usr/bin")).toBe("/usr/bin");
});

test("what only sounds secret, and what is too short to tell, stays", () => {
  const redact = createRedactor({
    SSH_AUTH_SOCK: "/run/user/agent.sock",
    API_KEY_FILE: "/etc/key-file",
    A_TOKEN: "true",
    KEY: undefined,
  });
  expect(redact("/run/user/agent.sock /etc/key-file true")).toBe("/run/user/agent.sock /etc/key-file true");
});

test("characters that mean something in patterns are taken as they are", () => {
  const redact = createRedactor({ A_SECRET: "a.b*c(d)[e]$^\\" });
  expect(redact("x a.b*c(d)[e]$^\\ y")).toBe("x [redacted A_SECRET] y");
  expect(redact("aXbXc(d)[e]$^\\")).toBe("aXbXc(d)[e]$^\\");
});
