import { expect, test } from "bun:test";
import { wholeId } from "./whole-id.ts";

test("the beginning of an id is enough where no other begins so", () => {
  const ids = ["4dc6ca81-1", "4dc6ffff-2", "90000000-3"];
  expect(wholeId("4DC6CA81", ids)).toBe("4dc6ca81-1");
  expect(wholeId("9", ids)).toBe("90000000-3");
  expect(wholeId("4dc6", ids)).toBeNull();
  expect(wholeId("5", ids)).toBeNull();
});
