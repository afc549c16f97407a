import { describe, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Claims, isRead, type LoopId } from "@ralpher/contract";
import { openSodaStage, planNew, type SodaPlay } from "../test/soda-lab.ts";

/** Seven iterations of work, then DONE. */
const longPlay: SodaPlay = {
  orient: ({ iteration }) =>
    iteration > 7
      ? {
          spec_satisfied: true,
          actionable_work_exists: false,
          criteria: [{ criterion: "it greets", satisfied: true, evidence: [{ file: "greet.ts" }] }],
        }
      : { ...planNew(`Part ${iteration}`), summary: `judged ${iteration}` },
  execute: async ({ title, directory, iteration }) => {
    await writeFile(join(directory, `${iteration}.txt`), title);
    return { summary: `worked on ${title}` };
  },
};

async function claimsOf(stage: Awaited<ReturnType<typeof openSodaStage>>, loopId: LoopId): Promise<Claims[]> {
  const { iterations } = await stage.hub.soda(loopId);
  return iterations.flatMap(({ claims }) => (claims === null ? [] : [claims]));
}

describe("SENSE over real sources", () => {
  test("[S-PROJ-1, S-PROJ-2, S-PROJ-3, S-PROJ-4, S-OUT-1, S-OUT-2, S-CODE-3, S-CODE-4] every iteration senses where the earlier ones have come to", async () => {
    await using stage = await openSodaStage(longPlay);
    const id = await stage.begin();
    await stage.atRest(id);
    const all = await claimsOf(stage, id);
    expect(all.map(({ iteration_number }) => iteration_number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const claims of all) {
      expect(Claims.parse(JSON.parse(JSON.stringify(claims)))).toEqual(claims);
      expect(new Date(claims.timestamp).toISOString()).toBe(claims.timestamp);
      expect(claims.project_state).toMatchObject({ iteration_number: claims.iteration_number });
    }
    expect(all[0]?.project_state).toMatchObject({ note: "first iteration", history: [] });
    const last = all[7]?.project_state;
    expect(last).toMatchObject({
      note: null,
      last_summaries: { executor: "worked on Part 7", verifier: "judged 7" },
    });
    expect(
      last !== undefined && isRead(last) ? last.history.map(({ iteration, intent }) => [iteration, intent]) : [],
    ).toEqual([
      [3, "Part 3"],
      [4, "Part 4"],
      [5, "Part 5"],
      [6, "Part 6"],
      [7, "Part 7"],
    ]);
    expect(last !== undefined && isRead(last) ? last.history[0]?.outcome : "").toContain("1 task completed");
    expect(all[7]?.code_state).toMatchObject({ branch: "soda/greeter", file_count: 7, lines_added: 7 });
  });

  test("[S-OUT-3, S-HUM-2] a source that cannot be read says so in its own part, and the rest stands", async () => {
    await using stage = await openSodaStage({ orient: () => ({ actionable_work_exists: false }) });
    const id = await stage.begin();
    await stage.until(id, ({ phase }) => phase.status === "stuck");
    expect((await stage.hub.sense({ loopId: id })).human_input).toBeNull();
    await writeFile(join(stage.folder, "trace", "trace.db"), "no database at all, and long enough to be told apart");
    await rm(join(stage.folder, "trace", "trace.db-wal"), { force: true });
    await rm(join(stage.project, "Sodafile"));
    const claims = await stage.hub.sense({ loopId: id });
    expect(claims.work_state).toEqual({ error: expect.stringContaining("trace.db") });
    expect(claims.human_input).toEqual({ error: expect.stringContaining("Sodafile") });
    expect(claims.code_state).toMatchObject({ branch: "soda/greeter" });
    expect(claims.project_state).toMatchObject({ iteration_number: 2 });
  });

  test("[S-WORK-5, S-PROJ-4, S-CODE-6, S-LEARN-2] a folder in which nothing has run yet can be sensed, too", async () => {
    await using stage = await openSodaStage({ orient: () => ({}) });
    const claims = await stage.hub.sense({ directory: stage.project });
    expect(claims).toMatchObject({
      code_state: { branch: null, note: "no base commit" },
      work_state: { note: "no root work item" },
      project_state: { note: "first iteration" },
      human_input: null,
      learnings: "",
    });
  });

  test("[M2-3] work items are created below the root, closed, commented and blocked, and read back as such", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => (iteration === 1 ? planNew("Done", "Hard") : { actionable_work_exists: false }),
      execute: async ({ title }) => (title === "Hard" ? { outcome: "blocked", blocked_reason: "no key" } : {}),
    });
    const id = await stage.begin();
    const view = await stage.until(id, ({ phase }) => phase.status === "stuck");
    const [, claims] = await claimsOf(stage, id);
    expect(claims?.work_state).toMatchObject({
      root: { id: view.soda?.root?.id, status: "open" },
      open: [{ title: "Hard", status: "blocked", blocked: true, parent: null }],
      blocked: [{ title: "Hard", reason: "no key" }],
      closed: [{ title: "Done" }],
    });
  });
});
