import { expect, test } from "bun:test";
import { nextPresence, type Presence, type PresenceSignal } from "./presence.ts";

const after = (...signals: PresenceSignal[]) => signals.reduce<Presence>(nextPresence, "seen");

test("a tab that is hidden keeps its stream for a while, then asks, and streams at once when it is seen", () => {
  expect(after("hidden")).toBe("unseen");
  expect(after("hidden", "waited")).toBe("asking");
  expect(after("hidden", "shown")).toBe("seen");
  expect(after("hidden", "waited", "shown")).toBe("seen");
});

test("a page that is left lets go of everything, whichever of the two signals comes first", () => {
  expect(after("left", "hidden")).toBe("away");
  expect(after("hidden", "left")).toBe("away");
  expect(after("left", "hidden", "waited")).toBe("away");
  expect(after("left", "shown")).toBe("seen");
  expect(after("left", "returned hidden")).toBe("asking");
});

test("who looks again in time is not taken for hidden by a late clock", () => {
  expect(after("hidden", "shown", "waited")).toBe("seen");
});
