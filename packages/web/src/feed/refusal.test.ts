import { expect, test } from "bun:test";
import { Fault } from "@ralpher/contract";
import { parseRefusal } from "./refusal.ts";

test("a fault's answer keeps its code, its sentence and its data", () => {
  const fault = new Fault("uncommitted_changes", { directory: "/r", changedFiles: ["a.ts"] });
  const refusal = parseRefusal(fault.http, JSON.stringify(fault));
  expect(refusal).toMatchObject({
    code: "uncommitted_changes",
    status: 409,
    data: { directory: "/r", changedFiles: ["a.ts"] },
  });
  expect(refusal.message).toBe(fault.message);
});

test("an answer that is not ours still says what to do", () => {
  expect(parseRefusal(502, "<html>Bad gateway").message).toBe(
    "The server answered with status 502. Look at its log for the reason.",
  );
});
