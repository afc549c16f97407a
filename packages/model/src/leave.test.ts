import { expect, test } from "bun:test";
import { join } from "node:path";

test("no timer of the server outlives clients that left", async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "leave.fixture.ts")], { stderr: "inherit" });
  const heard = (await new Response(child.stdout).text()).trim().split(" ");
  expect(await child.exited).toBe(0);
  // An answer sent whole has no deltas to wait between, so two of the twelve may be heard.
  expect(heard.filter((word) => word === "left").length).toBeGreaterThanOrEqual(10);
}, 20_000);
