import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../test/lab.ts";
import { openSodaStage, planNew } from "../test/soda-lab.ts";

test("[R-GIT-5, X-5] updating the milestone leaves the tree of a paused task as it is", async () => {
  const begun = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  await using stage = await openSodaStage({
    orient: ({ iteration }) => (iteration === 1 ? planNew("Greet") : { actionable_work_exists: false }),
    execute: async ({ directory }) => {
      await writeFile(join(directory, "half.txt"), "half done\n");
      begun.resolve(directory);
      await ended.promise;
    },
  });
  const id = await stage.begin();
  const tree = await begun.promise;
  await stage.hub.dispatch({ type: "pause", loopId: id, now: true });
  ended.resolve();
  await stage.until(id, ({ phase }) => phase.status === "paused");
  expect(await git(tree, "status", "--porcelain")).toBe("?? half.txt");

  await writeFile(join(stage.project, "other.txt"), "theirs\n");
  await stage.git("add", "other.txt");
  await stage.git("commit", "-q", "-m", "other");
  const view = await stage.hub.dispatch({ type: "update-branch", loopId: id, method: "merge" });
  expect(view?.workspace).toMatchObject({ baseSha: await stage.git("rev-parse", "main") });
  expect(await git(tree, "status", "--porcelain", "--branch")).toBe("## soda/iteration-1\n?? half.txt");
  expect(await stage.git("log", "--format=%s", "main..soda/iteration-1")).toBe("");

  await stage.hub.dispatch({ type: "resume", loopId: id });
  await stage.atRest(id);
  expect((await stage.git("ls-tree", "--name-only", "soda/greeter")).split("\n")).toEqual(
    expect.arrayContaining(["half.txt", "other.txt"]),
  );
});
