import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFault } from "@ralpher/contract";
import { openSodaStage } from "../test/soda-lab.ts";

const stuck = { orient: () => ({ actionable_work_exists: false }) };
const taken = (error: unknown) => {
  if (isFault(error, "spec_taken")) return error.data;
  throw error;
};

describe("a spec has one unfinished run in a folder", () => {
  test("[L-CLI-1] of many that are begun at once, whoever begins them, one is made and the others are told of it", async () => {
    await using stage = await openSodaStage(stuck);
    const all = await Promise.all(Array.from({ length: 6 }, () => stage.begin().catch(taken)));
    const [made, ...others] = all.filter((one) => typeof one === "string");
    expect(others).toEqual([]);
    const { id } = await stage.hub.require(made ?? ("" as never));
    for (const one of all) {
      if (typeof one !== "string") expect(one).toMatchObject({ id, spec: join(stage.project, "Sodafile") });
    }
    expect(await stage.hub.list({})).toHaveLength(1);
    await stage.atRest(id);
  });

  test("another is made when it is asked for, of another spec, or when the first is through", async () => {
    await using stage = await openSodaStage(stuck);
    const first = await stage.begin();
    await stage.atRest(first);
    expect(await stage.begin().catch(taken)).toMatchObject({ id: first, status: "stuck" });
    await stage.atRest(await stage.begin({ another: true }));
    await writeFile(join(stage.project, "other.md"), "# Other\n\n- [ ] it waits\n");
    await stage.atRest(await stage.begin({}, { spec: "other.md" }));
    for (const { config } of await stage.hub.list({})) await stage.hub.dispatch({ type: "discard", loopId: config.id });
    await stage.atRest(await stage.begin());
    expect(await stage.hub.list({})).toHaveLength(4);
  });

  test("what was asked for once is no setting of the run", async () => {
    await using stage = await openSodaStage(stuck);
    const { config } = await stage.atRest(await stage.begin({ another: true }));
    expect(config).not.toHaveProperty("another");
  });
});
