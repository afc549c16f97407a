import { expect, test } from "bun:test";
import { worstOf } from "./connection.ts";

test("a page is as fresh as its stalest stream", () => {
  expect(worstOf([{ state: "live" }, { state: "catching-up" }])).toEqual({ state: "catching-up" });
  expect(worstOf([{ state: "offline", since: 5 }, { state: "catching-up" }])).toEqual({ state: "offline", since: 5 });
  expect(worstOf([])).toEqual({ state: "live" });
});

test("of two losses the older one counts", () => {
  expect(
    worstOf([
      { state: "offline", since: 9 },
      { state: "offline", since: 4 },
    ]),
  ).toEqual({ state: "offline", since: 4 });
});
