import { expect, test } from "bun:test";
import { startOpencode } from "./first-start.ts";

/** Starts that are told when they come up, in the order they began. */
function createStarts(env: Record<string, string>) {
  const begun: { name: string; comeUp: (value: string) => void; fail: (error: Error) => void }[] = [];
  return {
    names: () => begun.map(({ name }) => name),
    of: (name: string) => {
      const found = begun.find((each) => each.name === name);
      if (found === undefined) throw new Error(`${name} has not begun`);
      return found;
    },
    start: (name: string, signal?: AbortSignal) =>
      startOpencode(
        env,
        () => {
          const { promise, resolve, reject } = Promise.withResolvers<string>();
          begun.push({ name, comeUp: resolve, fail: reject });
          return promise;
        },
        signal,
      ),
  };
}

test("until one opencode of a user has come up, they start one after the other; then as they like", async () => {
  const starts = createStarts({ HOME: "/home/first-start" });
  const [one, two, three] = [starts.start("one"), starts.start("two"), starts.start("three")];
  expect(starts.names()).toEqual(["one"]);
  starts.of("one").fail(new Error("ended at once"));
  await expect(one).rejects.toThrow("ended at once");
  expect(starts.names()).toEqual(["one", "two"]);
  starts.of("two").comeUp("up");
  expect(await two).toBe("up");
  const four = starts.start("four");
  expect(starts.names().toSorted()).toEqual(["four", "one", "three", "two"]);
  for (const name of ["three", "four"]) starts.of(name).comeUp("up");
  expect(await Promise.all([three, four])).toEqual(["up", "up"]);
});

test("another user's does not wait, and neither does one that is to end", async () => {
  const starts = createStarts({ HOME: "/home/one-user" });
  const others = createStarts({ HOME: "/home/one-user", XDG_DATA_HOME: "/home/other-user/data" });
  const one = starts.start("one");
  const other = others.start("other");
  expect(others.names()).toEqual(["other"]);
  const leaving = new AbortController();
  const two = starts.start("two", leaving.signal);
  expect(starts.names()).toEqual(["one"]);
  leaving.abort();
  // It begins, to find out that it is to end.
  while (starts.names().length < 2) await Promise.resolve();
  for (const name of ["one", "two"]) starts.of(name).comeUp("up");
  others.of("other").comeUp("up");
  expect(await Promise.all([one, two, other])).toEqual(["up", "up", "up"]);
});
