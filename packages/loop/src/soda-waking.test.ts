import { describe, expect, test } from "bun:test";
import type { WorkItems } from "@ralpher/contract";
import { newTask, openSodaStage } from "../test/soda-lab.ts";

type Ids = { one: string; two: string; root: string };

/** Each change of the work items that a human can make, and what the run says woke it. */
const changes: [string, (items: WorkItems, ids: Ids) => Promise<unknown>, string][] = [
  ["a new status", (items, { two }) => items.update(two, { status: "in_progress" }), "is in progress"],
  ["a new text", (items, { two }) => items.update(two, { description: "with SQLite" }), 'changed: "Two"'],
  ["a new priority", (items, { two }) => items.update(two, { priority: 0 }), "priority 0"],
  ["another parent", (items, { one, two }) => items.reparent(one, two), "is part of"],
  ["a parent outside the milestone", (items, { two }) => items.reparent(two, null), "no longer among"],
  ["a dependency more", (items, { one, two }) => items.addDependency(one, two, "related"), "is related to"],
  ["a dependency less", (items, { one, two }) => items.removeDependency(two, one), '"Two" is part of'],
  ["a comment", (items, { two }) => items.comment(two, { content: "use SQLite" }), "use SQLite"],
  ["a new task", (items, { root }) => items.create({ title: "Three", description: "", parentId: root }), '"Three"'],
];

describe("[L-HUM-2] a stuck run is woken by", () => {
  test.each(changes)("%s", async (_, change, note) => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) =>
        iteration > 1
          ? { actionable_work_exists: false, gaps: [{ severity: "critical", description: "still" }] }
          : {
              new_tasks: [newTask("new-1", "One"), newTask("new-2", "Two", { depends_on: "new-1" })],
              actionable_work_exists: false,
            },
    });
    const id = await stage.begin();
    await stage.until(id, ({ phase }) => phase.status === "stuck");
    const { items } = await stage.itemsOf(id);
    const [root = "", one = "", two = ""] = ["Greeter", "One", "Two"].map(
      (wanted) => items.find(({ title }) => title === wanted)?.id ?? "",
    );
    await using human = stage.items();
    await change(human, { root, one, two });
    await stage.until(id, ({ phase, iteration }) => phase.status === "stuck" && iteration === 2);
    const { woken, iterations } = await stage.hub.soda(id);
    expect(woken).toMatchObject([{ note: expect.stringContaining(note) }]);
    expect(iterations[1]?.claims?.human_input).toMatchObject({ items: [{}] });
  });
});
