import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredEvent } from "@ralpher/contract";
import { openSodaStage, planNew, type SodaPlay } from "../test/soda-lab.ts";

/** Two tasks, one of which is blocked, freed by ORIENT, and done; a learning; a subtask. */
const play = (): SodaPlay => {
  const ids = new Map<string, string>();
  return {
    orient: ({ iteration }) => {
      if (iteration === 1) return { ...planNew("One", "Two"), learnings: [{ text: "ports are taken", action: "add" }] };
      const two = ids.get("Two") ?? "";
      const part = ids.get("Part") ?? "";
      if (iteration === 2) {
        return {
          task_updates: [{ id: two, action: "unblock", comment: "it is there now" }],
          iteration_plan: { intent: "the rest", approach: "", tasks: [two] },
        };
      }
      if (iteration === 3 && part === "") return { actionable_work_exists: true };
      return {
        spec_satisfied: true,
        actionable_work_exists: false,
        criteria: [{ criterion: "it greets", satisfied: true, evidence: [{ file: "greet.ts" }] }],
      };
    },
    execute: async ({ id, title, iteration, directory }) => {
      ids.set(title, id);
      await writeFile(join(directory, `${title}-${iteration}.txt`), title);
      if (title === "Two" && iteration === 1) return { outcome: "blocked", blocked_reason: "no key" };
      return title === "One" ? { new_subtasks: [{ title: "Part", description: "", priority: 3 }] } : {};
    },
  };
};

/** Each is written once with what happens in the same step. */
const moments: StoredEvent["type"][] = [
  "loop.bootstrapped",
  "loop.workspace.ready",
  "loop.milestone",
  "loop.sensed",
  "loop.oriented",
  "loop.planned",
  "loop.decided",
  "loop.branch.started",
  "loop.tested",
  "loop.items.changed",
  "loop.task.reported",
  "loop.git.saved",
  "loop.task.end",
  "loop.branch.merged",
  "loop.iteration.end",
  "loop.summarised",
];

test.each(moments)(
  "[L-MILE-5, L-LIM-3] what was done and could not be written down (%s) is found again: nothing twice, nothing lost",
  async (moment) => {
    let times = 0;
    await using stage = await openSodaStage(play(), {
      spoils: (types) => types.includes(moment) && times++ === 0,
    });
    const id = await stage.begin();
    const view = await stage.atRest(id);
    expect(times).toBeGreaterThan(1);
    expect(view.phase).toMatchObject({ status: "completed" });

    const { items, comments } = await stage.itemsOf(id);
    expect(items.map(({ title, status }) => `${title} ${status}`).toSorted()).toEqual([
      "Greeter closed",
      "One closed",
      "Part closed",
      "Two closed",
    ]);
    const texts = comments
      .filter(({ source }) => source !== "soda")
      .map(({ itemId, content }) => `${itemId} ${content}`);
    expect(new Set(texts).size).toBe(texts.length);
    const files = (await stage.git("ls-tree", "--name-only", "soda/greeter")).split("\n");
    expect(files).toEqual(expect.arrayContaining(["One-1.txt", "Two-1.txt", "Two-2.txt", "Part-3.txt"]));
    expect(await stage.git("branch", "--list", "--format=%(refname:short)")).toBe("main\nsoda/greeter");
    // What the loop did itself is nobody else's word, and was not asked for in vain.
    const { iterations } = await stage.hub.soda(id);
    expect(iterations.flatMap(({ refused }) => refused)).toEqual([]);
    expect(iterations.map(({ claims }) => claims?.human_input)).toEqual(iterations.map(() => null));
    const soda = view.soda?.project?.home ?? "";
    const memory = await Bun.file(join(soda, "memory.md")).text();
    expect(memory.split("ports are taken")).toHaveLength(2);
  },
);
