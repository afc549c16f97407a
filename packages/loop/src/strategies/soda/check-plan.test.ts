import { describe, expect, test } from "bun:test";
import type { Comment, NewTask, TaskUpdate, WorkItem } from "@ralpher/contract";
import fc from "fast-check";
import { checkChanges, checkTasks } from "./check-plan.ts";

const item = (id: string, more: Partial<WorkItem> = {}): WorkItem => ({
  id,
  projectId: "p",
  title: `Title of ${id}`,
  description: "",
  status: "open",
  priority: 2,
  createdAt: "2026-01-01T00:00:00.000000Z",
  updatedAt: "2026-01-01T00:00:00.000000Z",
  closedAt: null,
  dependencies: [{ dependsOnId: "p-root", type: "parent" }],
  ...more,
});
const root = item("p-root", { dependencies: [] });
const update = (id: string, action: TaskUpdate["action"], more: Partial<TaskUpdate> = {}): TaskUpdate => ({
  id,
  action,
  comment: "because",
  ...more,
});
const task = (ref: string, more: Partial<NewTask> = {}): NewTask => ({
  ref,
  title: `New ${ref}`,
  description: "",
  priority: 2,
  kind: "task",
  ...more,
});
const check = (task_updates: TaskUpdate[], new_tasks: NewTask[], items: WorkItem[], comments: Comment[] = []) =>
  checkChanges({ task_updates, new_tasks }, [root, ...items], comments, []);
const waits = (id: string) => ({ dependsOnId: id, type: "blocks" as const });

describe("changes that ORIENT asks for", () => {
  test("[O-1, O-2, O-5] what makes sense is done: close, reopen, unblock, reprioritise", () => {
    const items = [item("p-a"), item("p-b", { status: "closed" }), item("p-c", { status: "blocked" })];
    const wanted = [
      update("p-a", "close"),
      update("p-b", "reopen"),
      update("p-c", "unblock"),
      update("p-a", "reprioritise", { priority: 0 }),
      update("p-root", "comment"),
    ];
    expect(check(wanted, [], items)).toMatchObject({ updates: wanted, refused: [] });
  });

  test.each([
    ["an unknown id", update("p-x", "close"), [], "no such task"],
    ["the milestone itself", update("p-root", "close"), [], "milestone itself"],
    ["closing what is closed", update("p-a", "close"), [item("p-a", { status: "closed" })], "closed already"],
    ["reopening what is open", update("p-a", "reopen"), [item("p-a")], "not closed"],
    ["blocking what is closed", update("p-a", "block"), [item("p-a", { status: "closed" })], "is closed"],
    ["unblocking what nothing blocks", update("p-a", "unblock"), [item("p-a")], "nothing blocks"],
    [
      "unblocking what waits for an open task",
      update("p-a", "unblock"),
      [item("p-a", { dependencies: [waits("p-b")] }), item("p-b")],
      "waits for p-b",
    ],
    ["a priority that was not given", update("p-a", "reprioritise"), [item("p-a")], "no priority"],
    [
      "closing a parent above open tasks",
      update("p-a", "close"),
      [item("p-a"), item("p-b", { dependencies: [{ dependsOnId: "p-a", type: "parent" }] })],
      "open tasks below it: p-b",
    ],
  ] as const)("[O-5] %s is refused with the reason", (_, wanted, items, why) => {
    const { updates, refused } = check([wanted], [], [...items]);
    expect(updates).toEqual([]);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.why).toContain(why);
  });

  test("[O-5] a parent is closed together with what is below it", () => {
    const items = [item("p-a"), item("p-b", { dependencies: [{ dependsOnId: "p-a", type: "parent" }] })];
    expect(check([update("p-a", "close"), update("p-b", "close")], [], items).refused).toEqual([]);
  });

  test("[O-5] new tasks are made after what they hang on, by name or id", () => {
    const { creations, refused } = check(
      [],
      [task("new-1", { parent: "new-2", depends_on: "p-a" }), task("new-2")],
      [item("p-a")],
    );
    expect(creations.map(({ ref }) => ref)).toEqual(["new-2", "new-1"]);
    expect(refused).toEqual([]);
  });

  test("[O-5] cycles among new tasks, unknown names and names used twice are refused", () => {
    const { creations, refused } = check(
      [],
      [
        task("new-1", { depends_on: "new-2" }),
        task("new-2", { depends_on: "new-1" }),
        task("new-3", { parent: "nowhere" }),
        task("new-4", { parent: "p-root", depends_on: "p-root" }),
        task("new-5"),
        task("new-5"),
      ],
      [],
    );
    expect(creations.map(({ ref }) => ref)).toEqual(["new-5"]);
    expect(refused).toHaveLength(5);
  });

  test("[O-5] a task does not wait for what it is below, however far", () => {
    const { creations, refused } = check(
      [],
      [
        task("new-1"),
        task("new-2", { parent: "new-1" }),
        task("new-3", { parent: "new-2", depends_on: "new-1" }),
        task("new-4", { depends_on: "p-root" }),
        task("new-5", { parent: "p-b", depends_on: "p-a" }),
      ],
      [item("p-a"), item("p-b", { dependencies: [{ dependsOnId: "p-a", type: "parent" }] })],
    );
    expect(creations.map(({ ref }) => ref)).toEqual(["new-1", "new-2"]);
    expect(refused.map(({ what }) => what)).toEqual(['create "New new-3"', 'create "New new-4"', 'create "New new-5"']);
  });

  test("a task called like the milestone is made; the same task twice, or without a title, is not", () => {
    const { creations, refused } = check(
      [],
      [
        task("new-1", { title: "Title of p-root" }),
        task("new-2", { title: "Same" }),
        task("new-3", { title: " same " }),
        task("new-4", { title: " \n " }),
        task("new-5", { title: "One\n## Next\u202e line" }),
      ],
      [],
    );
    expect(creations.map(({ title, known }) => [title, known])).toEqual([
      ["Title of p-root", null],
      ["Same", null],
      ["One ## Next line", null],
    ]);
    expect(refused.map(({ why }) => why)).toEqual(["it is asked for twice", "it has no title"]);
  });

  test("a task that is open already under the same words is not made again", () => {
    const items = [item("p-a", { title: "Add  login" }), item("p-b", { title: "Old", status: "closed" })];
    const { creations } = check([], [task("new-1", { title: "add login" }), task("new-2", { title: "Old" })], items);
    expect(creations.map(({ known }) => known)).toEqual(["p-a", null]);
  });

  test("[O-7] what comes back without progress is investigated, once, though ORIENT forgot", () => {
    const repeats = [{ kind: "test" as const, what: "adds", times: 2 }];
    const made = (items: WorkItem[], new_tasks: NewTask[] = []) =>
      checkChanges({ task_updates: [], new_tasks }, [root, ...items], [], repeats).creations;
    const [first] = made([]);
    expect(first).toMatchObject({ kind: "investigation", priority: 1 });
    expect(first?.title).toContain("adds");
    expect(made([item("p-a", { title: first?.title ?? "" })])).toEqual([]);
    expect(made([], [task("new-1", { kind: "investigation" })]).map(({ ref }) => ref)).toEqual(["new-1"]);
  });

  test("whatever is asked, what is made hangs only on what there is, and everything is made or refused", () => {
    const names = fc.constantFrom("new-1", "new-2", "new-3", "p-a", "p-root", "nowhere");
    const wanted = fc.array(
      fc.record(
        { ref: fc.constantFrom("new-1", "new-2", "new-3"), parent: names, depends_on: names },
        { requiredKeys: ["ref"] },
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(wanted, (drafts) => {
        const { creations, refused } = check(
          [],
          drafts.map(({ ref, ...more }) => task(ref, more)),
          [item("p-a")],
        );
        expect(creations.length + refused.length).toBe(drafts.length);
        const there = new Set(["p-root", "p-a"]);
        for (const { ref, parent, depends_on } of creations) {
          for (const name of [parent, depends_on]) if (name !== undefined) expect(there.has(name)).toBe(true);
          there.add(ref);
        }
      }),
    );
  });
});

describe("tasks of the plan", () => {
  const orient = (tasks: string[], actionable_work_exists = true) => ({
    iteration_plan: { intent: "go on", approach: "", tasks },
    actionable_work_exists,
  });

  test("[O-6] keeps its order, by id or by ORIENT's own names, each once", () => {
    const items = [root, item("p-a"), item("p-b")];
    const { tasks } = checkTasks(orient(["new-1", "p-a", "p-b"]), items, [], new Map([["new-1", "p-b"]]));
    expect(tasks.map(({ id }) => id)).toEqual(["p-b", "p-a"]);
  });

  test("[O-6] a plan of more than one iteration can do is cut, and says so", () => {
    const items = [root, ...Array.from({ length: 8 }, (_, n) => item(`p-${n}`))];
    const { tasks, refused } = checkTasks(orient(items.slice(1).map(({ id }) => id)), items, [], new Map());
    expect([tasks.length, refused.length]).toEqual([5, 3]);
  });

  test("[O-6] closed, blocked, waiting and unknown ones are refused", () => {
    const items = [
      root,
      item("p-a", { status: "closed" }),
      item("p-b", { status: "blocked" }),
      item("p-c", { dependencies: [waits("p-d")] }),
      item("p-d"),
    ];
    const { tasks, refused } = checkTasks(orient(["p-a", "p-b", "p-c", "p-x", "p-root", "p-d"]), items, [], new Map());
    expect(tasks.map(({ id }) => id)).toEqual(["p-d"]);
    expect(refused.map(({ what }) => what)).toEqual(["plan p-a", "plan p-b", "plan p-c", "plan p-x", "plan p-root"]);
  });

  test("work that ORIENT sees and does not plan is taken by urgency, leaves first", () => {
    const items = [
      root,
      item("p-a", { priority: 3 }),
      item("p-b", { priority: 1 }),
      item("p-c", { priority: 0 }),
      item("p-d", { dependencies: [{ dependsOnId: "p-c", type: "parent" }], priority: 4 }),
    ];
    expect(checkTasks(orient([]), items, [], new Map()).tasks.map(({ id }) => id)).toEqual(["p-b", "p-a", "p-d"]);
    expect(checkTasks(orient([], false), items, [], new Map()).tasks).toEqual([]);
  });
});
