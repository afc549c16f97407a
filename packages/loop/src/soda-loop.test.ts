import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../test/lab.ts";
import { newTask, openSodaStage, planNew } from "../test/soda-lab.ts";

const satisfied = {
  spec_satisfied: true as const,
  actionable_work_exists: false,
  summary: "it greets",
  criteria: [{ criterion: "it greets", satisfied: true as const, evidence: [{ file: "greet.ts" }] }],
};

describe("a SODA loop over real git, work items and files", () => {
  test("[L-BOOT-1, L-BOOT-2, L-MILE-1, L-MILE-2, L-MILE-4, L-KICK-1, L-END-1, L-END-3, L-END-4, X-5, X-8, M2-1] from a spec in an empty folder to DONE", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => (iteration === 1 ? planNew("Lay the ground") : satisfied),
      execute: async ({ directory }) => {
        await writeFile(join(directory, "greet.ts"), "export const greet = () => 'hello';\n");
      },
    });
    const id = await stage.begin();
    const view = await stage.atRest(id);
    expect(view.phase).toMatchObject({ status: "completed" });

    const soda = (await readFile(join(stage.project, ".soda-id"), "utf8")).trim();
    expect(view.soda?.project).toEqual({ id: soda, home: join(stage.folder, "soda", "projects", soda) });
    expect(await stage.git("status", "--porcelain")).toBe("?? Sodafile");
    expect(await stage.git("branch", "--list", "--format=%(refname:short)")).toBe("main\nsoda/greeter");
    expect(await stage.git("show", "soda/greeter:greet.ts")).toContain("hello");
    expect((await stage.git("log", "--topo-order", "--format=%s", "soda/greeter")).split("\n")).toEqual([
      expect.stringMatching(/^\[SODA\] Merge soda\/iteration-1: Lay the ground$/),
      expect.stringMatching(/^\[SODA\] \S+: Lay the ground$/),
      "Initial commit",
    ]);
    expect(view.config).toMatchObject({ name: "Greeter", maxIterations: 20 });
    expect(view.config.prompt).toContain("it greets");

    const { items, comments } = await stage.itemsOf(id);
    expect(items.map(({ title, status }) => [title, status])).toEqual([
      ["Greeter", "closed"],
      ["Lay the ground", "closed"],
    ]);
    expect(comments.map(({ source }) => source)).toContain("executor");
    const [summary] = await readdir(join(view.soda?.project?.home ?? "", "summaries"));
    const text = await readFile(join(view.soda?.project?.home ?? "", "summaries", summary ?? ""), "utf8");
    expect(text).toContain("Greeter: done");
    expect(text).toContain("Lay the ground");

    const report = await stage.hub.soda(id);
    expect(report.iterations.map(({ decision, plan }) => [decision?.outcome, plan?.intent])).toEqual([
      ["CONTINUE", "Lay the ground"],
      ["DONE", undefined],
    ]);
    expect(report.iterations[0]?.act).toMatchObject({ tasks_completed: [items[1]?.id], commits: [{}] });
    expect(stage.seen.some(({ role, prompt }) => role === "orient" && prompt.includes("no code yet"))).toBe(true);
    expect(stage.troubles).toEqual([]);
  });

  test("[L-MILE-3, L-BOOT-1] a second run of the same spec has a branch and a root of its own, and the same project", async () => {
    await using stage = await openSodaStage({ orient: () => satisfied });
    const first = await stage.atRest(await stage.begin());
    const second = await stage.atRest(await stage.begin());
    expect(second.workspace).toMatchObject({ workingBranch: "soda/greeter-2", originalBranch: "main" });
    expect(second.soda?.project).toEqual(first.soda?.project ?? null);
    expect(second.soda?.root?.id).not.toBe(first.soda?.root?.id);
  });

  test("[L-HUM-2, L-HUM-5, L-ITER-7, L-END-2, X-4] a blocked task is told, and a human's comment in the work items lets it go on", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration, prompt }) => {
        if (iteration === 1) return planNew("Choose a database");
        if (iteration === 2) {
          return { actionable_work_exists: false, gaps: [{ severity: "critical", description: "which database?" }] };
        }
        return prompt.includes("use PostgreSQL") ? satisfied : { actionable_work_exists: false };
      },
      execute: async () => ({ outcome: "blocked", summary: "no idea", blocked_reason: "which database?" }),
    });
    const id = await stage.begin();
    const stuck = await stage.until(id, (view) => view.phase.status === "stuck");
    expect(stuck.phase).toEqual({ status: "stuck", reason: "which database?" });
    const { items } = await stage.itemsOf(id);
    const blocked = items.find(({ status }) => status === "blocked");
    expect(blocked?.title).toBe("Choose a database");
    expect((await stage.hub.soda(id)).summary?.text).toContain(
      `${blocked?.id} "Choose a database" is blocked: which database?`,
    );

    await using human = stage.items();
    await human.comment(blocked?.id ?? "", { content: "use PostgreSQL" });
    const done = await stage.until(id, (view) => view.phase.status === "completed");
    expect(done.iteration).toBe(3);
    const { iterations, woken } = await stage.hub.soda(id);
    expect(woken).toMatchObject([{ by: "comment", note: expect.stringContaining("use PostgreSQL") }]);
    expect(iterations[2]?.claims?.human_input).toMatchObject({
      items: [{ type: "comment", content: "use PostgreSQL", task_id: blocked?.id }],
    });
  });

  test("[L-HUM-3, S-HUM-3, S-HUM-1] a changed spec wakes a stuck run, is flagged, and is what ORIENT judges", async () => {
    await using stage = await openSodaStage({
      orient: ({ prompt }) => (prompt.includes("in French") ? satisfied : { actionable_work_exists: false }),
    });
    const id = await stage.begin();
    await stage.until(id, (view) => view.phase.status === "stuck");
    await writeFile(join(stage.project, "Sodafile"), "# Greeter\n\n- [ ] it greets in French\n");
    const view = await stage.until(id, ({ phase }) => phase.status === "completed");
    expect(view.config.prompt).toContain("in French");
    const { iterations, spec } = await stage.hub.soda(id);
    expect(iterations[1]?.claims?.human_input).toMatchObject({ spec_modified: true, items: [{ type: "spec" }] });
    expect(spec?.text).toContain("in French");
  });

  test("[L-HUM-4, S-HUM-2] an answer reaches ORIENT as human input, once", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration, prompt }) =>
        prompt.includes("in green")
          ? iteration < 3
            ? planNew("Paint it")
            : satisfied
          : iteration < 3
            ? { actionable_work_exists: false }
            : satisfied,
    });
    const id = await stage.begin();
    await stage.until(id, (view) => view.phase.status === "stuck");
    await stage.hub.dispatch({ type: "say", loopId: id, text: "in green" });
    await stage.until(id, ({ phase }) => phase.status === "completed");
    const inputs = (await stage.hub.soda(id)).iterations.map(({ claims }) => claims?.human_input);
    expect(inputs).toMatchObject([null, { items: [{ type: "answer", content: "in green" }] }, null]);
  });

  test("[O-1] a closed task whose code is missing is opened again, and done", async () => {
    let id = "";
    await using stage = await openSodaStage({
      orient: async ({ iteration, directory }) => {
        if (iteration === 1) return planNew("Write greet.ts");
        if (existsSync(join(directory, "greet.ts"))) return satisfied;
        return {
          task_updates: [{ id, action: "reopen", comment: "greet.ts is not there" }],
          iteration_plan: { intent: "really write it", approach: "", tasks: [id] },
        };
      },
      execute: async (task) => {
        id = task.id;
        if (task.iteration > 1) await writeFile(join(task.directory, "greet.ts"), "");
      },
    });
    const loop = await stage.begin();
    expect((await stage.atRest(loop)).phase.status).toBe("completed");
    const { iterations } = await stage.hub.soda(loop);
    expect(iterations[1]?.changes).toMatchObject([
      { id, what: "reopened" },
      { id, what: "closed" },
    ]);
    expect((await stage.itemsOf(loop)).comments.map(({ content }) => content)).toContain(
      "Reopened: greet.ts is not there",
    );
  });

  test("[X-1, X-3, X-5] a test red before is not blamed on the task; a newly red one is mended or the work is set aside", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => (iteration === 1 ? planNew("Good", "Mended", "Bad") : satisfied),
      execute: async ({ title, round, directory }) => {
        const failing = join(directory, "failing", title);
        await writeFile(join(directory, `${title}.txt`), title);
        if (title === "Bad" || (title === "Mended" && round === 1)) await writeFile(failing, "");
        else await rm(failing, { force: true });
      },
    });
    await stage.redProject();
    const id = await stage.begin({}, { test: "sh run-tests.sh" });
    await stage.atRest(id);

    const { iterations } = await stage.hub.soda(id);
    const [first] = iterations;
    expect(first?.baseline).toMatchObject({ kind: "ran", passed: 0, failed: 1, failing: ["old"] });
    expect(first?.tasks.map(({ title, outcome, rounds }) => [title, outcome, rounds])).toEqual([
      ["Good", "completed", 1],
      ["Mended", "completed", 2],
      ["Bad", "blocked", 3],
    ]);
    const bad = first?.tasks[2];
    expect(bad?.regression?.tests).toEqual(["Bad"]);
    expect(bad?.reason).toContain("Bad");
    expect(await stage.git("show", `${bad?.setAside}:Bad.txt`)).toBe("Bad");
    expect((await stage.git("ls-tree", "--name-only", "soda/greeter")).split("\n")).toEqual([
      "Good.txt",
      "Mended.txt",
      "failing",
      "run-tests.sh",
    ]);
    const commits = (await stage.git("log", "--topo-order", "--no-merges", "--format=%s", "main..soda/greeter")).split(
      "\n",
    );
    expect(commits).toEqual([expect.stringContaining(": Mended"), expect.stringContaining(": Good")]);
  });

  test("[X-7, O-2] a merge that conflicts changes nothing, keeps the branch, and becomes a blocker that ORIENT can free", async () => {
    let conflictTask = "";
    await using stage = await openSodaStage({
      orient: async ({ iteration, prompt }) => {
        if (iteration === 1) return planNew("Write a");
        conflictTask = /"id": "([^"]+)",\s*"title": "Resolve the merge/.exec(prompt)?.[1] ?? "";
        if (iteration === 2) {
          return {
            task_updates: [{ id: conflictTask, action: "unblock", comment: "it can be merged by hand" }],
            iteration_plan: { intent: "merge it", approach: "", tasks: [conflictTask] },
          };
        }
        return satisfied;
      },
      execute: async ({ iteration, directory }) => {
        if (iteration === 1) {
          await writeFile(join(directory, "a.txt"), "the loop's\n");
          const other = join(stage.folder, "other");
          await git(stage.project, "worktree", "add", "-q", "-f", other, "soda/greeter");
          await writeFile(join(other, "a.txt"), "somebody else's\n");
          await git(other, "add", "-A");
          await git(other, "commit", "-q", "-m", "meanwhile");
          await git(stage.project, "worktree", "remove", other);
          return;
        }
        await git(directory, "merge", "-q", "-X", "theirs", "soda/iteration-1", "-m", "by hand");
      },
    });
    const id = await stage.begin();
    expect((await stage.atRest(id)).phase.status).toBe("completed");
    const { iterations } = await stage.hub.soda(id);
    expect(iterations[0]?.merged).toEqual({ conflict: ["a.txt"] });
    expect(iterations[1]?.claims?.work_state).toMatchObject({
      blocked: [
        { id: conflictTask, title: "Resolve the merge conflict of soda/iteration-1", reason: "conflict in a.txt" },
      ],
    });
    expect(await stage.git("show", "soda/greeter:a.txt")).toBe("the loop's");
    expect(await stage.git("branch", "--list", "--format=%(refname:short)", "soda/iteration-*")).toBe(
      "soda/iteration-1",
    );
  });

  test("[A-OUT-3] an answer that breaks the form halts the run, and names what is wrong", async () => {
    await using stage = await openSodaStage({ orient: () => ({ broken: true }) });
    const view = await stage.atRest(await stage.begin());
    expect(view.phase).toMatchObject({ status: "failed", reason: expect.stringContaining("spec_satisfied") });
    expect(stage.seen.filter(({ role }) => role === "orient")).toHaveLength(1);
  });

  test("[O-5] changes that make no sense are refused one by one, and the rest is done", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) =>
        iteration > 1
          ? satisfied
          : {
              ...planNew("Real"),
              new_tasks: [
                newTask("new-1", "Real"),
                newTask("a", "A", { depends_on: "b" }),
                newTask("b", "B", { depends_on: "a" }),
              ],
              task_updates: [{ id: "nowhere-1", action: "close", comment: "done" }],
            },
    });
    const id = await stage.begin();
    await stage.atRest(id);
    const [first] = (await stage.hub.soda(id)).iterations;
    expect(first?.refused.map(({ what }) => what).toSorted()).toEqual(["close nowhere-1", 'create "A"', 'create "B"']);
    expect((await stage.itemsOf(id)).items.map(({ title }) => title)).toEqual(["Greeter", "Real"]);
  });

  test("[X-6, S-LEARN-1, O-3] learnings are kept once, reach the next iteration, and can be withdrawn", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => {
        if (iteration === 1) return planNew("One", "Two");
        if (iteration === 2) {
          return { ...planNew("Three"), learnings: [{ text: "the port is 80", action: "deprecate" }] };
        }
        return satisfied;
      },
      execute: async ({ iteration }) =>
        iteration === 1 ? { learnings: ["The port is 80", "tests need a port"] } : undefined,
    });
    const id = await stage.begin();
    await stage.atRest(id);
    const { iterations } = await stage.hub.soda(id);
    expect(iterations[0]?.act?.learnings).toEqual(["The port is 80", "tests need a port"]);
    expect(iterations[1]?.claims?.learnings).toContain("The port is 80");
    const active = String(iterations[2]?.claims?.learnings).split("Deprecated")[0];
    expect(active).toContain("tests need a port");
    expect(active).not.toContain("The port is 80");
  });

  test("[O-4] a spec is not satisfied when nothing of it was judged", async () => {
    await using stage = await openSodaStage({ orient: () => ({ ...satisfied, criteria: [] }) });
    const view = await stage.atRest(await stage.begin());
    expect(view.phase).toMatchObject({ status: "stuck" });
  });

  test("[X-3] a test that one task mends is not broken again by the next", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => (iteration === 1 ? planNew("Mends", "Breaks") : satisfied),
      execute: async ({ title, directory }) => {
        const old = join(directory, "failing", "old");
        if (title === "Mends") await rm(old);
        else {
          await mkdir(join(directory, "failing"), { recursive: true });
          await writeFile(old, "again");
        }
      },
    });
    await stage.redProject();
    const id = await stage.begin({}, { test: "sh run-tests.sh" });
    await stage.atRest(id);
    const [first] = (await stage.hub.soda(id)).iterations;
    expect(first?.tasks.map(({ title, outcome }) => [title, outcome])).toEqual([
      ["Mends", "completed"],
      ["Breaks", "blocked"],
    ]);
    expect(await stage.git("ls-tree", "-r", "--name-only", "soda/greeter")).not.toContain("failing/old");
  });

  test("[L-HUM-2] a task that a human closes or blocks before it is begun is left alone", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => (iteration === 1 ? planNew("First", "Closed", "Blocked") : satisfied),
      execute: async ({ title, directory }) => {
        await writeFile(join(directory, `${title}.txt`), "");
        if (title !== "First") return;
        await using human = stage.items();
        for (const { id, title: name } of await human.list()) {
          if (name === "Closed") await human.close([id], { message: "do not do this any more" });
          if (name === "Blocked") await human.update(id, { status: "blocked" });
        }
      },
    });
    const id = await stage.begin();
    await stage.atRest(id);
    const { iterations } = await stage.hub.soda(id);
    expect(iterations[0]?.tasks.map(({ title, outcome }) => [title, outcome])).toEqual([
      ["First", "completed"],
      ["Closed", "blocked"],
      ["Blocked", "blocked"],
    ]);
    expect(iterations[0]?.tasks[1]?.reason).toContain("somebody closed it");
    expect(await stage.git("ls-tree", "--name-only", "soda/greeter")).toBe("First.txt");
    const { items } = await stage.itemsOf(id);
    expect(items.map(({ title, status }) => `${title} ${status}`)).toContain("Closed closed");
  });

  test("[L-END-4] a fault in the middle brings in what was finished, keeps the rest aside, and writes a summary", async () => {
    await using stage = await openSodaStage({
      orient: () => planNew("Good", "Bad"),
      execute: async ({ title, directory }) => {
        await writeFile(join(directory, `${title}.txt`), title);
        // The milestone's branch is taken, so nothing can be merged; and the work items are broken.
        if (title === "Bad")
          await writeFile(join(stage.folder, "trace", "trace.db"), "no database, and long enough to be told");
      },
    });
    const id = await stage.begin();
    const view = await stage.atRest(id);
    expect(view.phase.status).toBe("failed");
    expect((await stage.git("ls-tree", "--name-only", "soda/greeter")).split("\n")).toEqual(["Bad.txt", "Good.txt"]);
    expect((await stage.hub.soda(id)).summary?.text).toContain("failed");
  });

  test("[L-MILE-5] a root that is gone is made again before anybody works for it", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => (iteration === 1 ? { actionable_work_exists: false } : satisfied),
    });
    const id = await stage.begin();
    await stage.until(id, ({ phase }) => phase.status === "stuck");
    for (const end of ["", "-wal", "-shm"]) await rm(join(stage.folder, "trace", `trace.db${end}`), { force: true });
    await stage.hub.dispatch({ type: "say", loopId: id, text: "go on" });
    const view = await stage.until(id, ({ phase }) => phase.status === "completed");
    const { items } = await stage.itemsOf(id);
    expect(items.map(({ id: item, title }) => [item, title])).toEqual([[view.soda?.root?.id ?? "", "Greeter"]]);
  });

  test("[S-HUM-3] a spec that cannot be read is told of, also when a human speaks, and counts as it was", async () => {
    await using stage = await openSodaStage({
      orient: ({ prompt }) =>
        prompt.includes("go on") && prompt.includes("it greets") ? satisfied : { actionable_work_exists: false },
    });
    const id = await stage.begin();
    await stage.until(id, ({ phase }) => phase.status === "stuck");
    await rm(join(stage.project, "Sodafile"));
    await stage.hub.dispatch({ type: "say", loopId: id, text: "go on" });
    await stage.until(id, ({ phase }) => phase.status === "completed");
    const notices = (await stage.hub.read({ loopId: id, types: ["loop.notice"] })).map((event) =>
      "text" in event ? event.text : "",
    );
    expect(notices.some((text) => text.includes("The spec cannot be read"))).toBe(true);
  });

  test("a task with open ones below it is not through: it stays open, and is told as partial", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) =>
        iteration > 1
          ? satisfied
          : {
              new_tasks: [newTask("new-1", "Parent"), newTask("new-2", "Child", { parent: "new-1" })],
              iteration_plan: { intent: "parent first", approach: "", tasks: ["new-1"] },
            },
    });
    const id = await stage.begin();
    await stage.atRest(id);
    expect((await stage.hub.soda(id)).iterations[0]?.tasks[0]).toMatchObject({ title: "Parent", outcome: "partial" });
  });

  test("a base that is not there and a test command for a shell are refused before there is a run", async () => {
    await using stage = await openSodaStage({ orient: () => satisfied });
    const pathOf = async (strategy: Record<string, unknown>) => {
      const fault = await stage.begin({}, strategy).catch((error) => error);
      return [fault.code, fault.data?.issues?.[0]?.path];
    };
    expect(await pathOf({ test: "true; false" })).toEqual(["invalid_input", "strategy.test"]);
    expect(await pathOf({ base: "nosuch" })).toEqual(["invalid_input", "strategy.base"]);
    await stage.git("init", "--quiet", "--initial-branch=main");
    await stage.git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "first");
    expect(await pathOf({ base: "nosuch" })).toEqual(["invalid_input", "strategy.base"]);
    expect(await stage.hub.list({})).toEqual([]);
    await stage.atRest(await stage.begin({}, { base: "main", test: "true" }));
  });

  test("[L-BOOT-2] a folder with files and no repository is asked about before anything is made of it", async () => {
    await using stage = await openSodaStage({ orient: () => satisfied });
    await writeFile(join(stage.project, "old.js"), "");
    const asked = await stage.begin({ start: {} }).catch((error) => error);
    expect(asked).toMatchObject({ code: "uncommitted_changes", data: { changedFiles: ["old.js"] } });
    expect((await readdir(stage.project)).toSorted()).toEqual(["Sodafile", "old.js"]);
    await stage.atRest(await stage.begin({ start: { handleUncommitted: "commit" } }));
    expect(await stage.git("ls-tree", "--name-only", "soda/greeter")).toBe("old.js");
  });

  test("[X-5] a task's work has a commit that names it, though its agent committed by itself", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => (iteration === 1 ? planNew("First") : satisfied),
      execute: async ({ directory }) => {
        await writeFile(join(directory, "own.txt"), "");
        await git(directory, "add", "-A");
        await git(directory, "commit", "-q", "-m", "own words");
      },
    });
    const id = await stage.begin();
    await stage.atRest(id);
    const task = (await stage.itemsOf(id)).items[1]?.id ?? "";
    const subjects = (await stage.git("log", "--topo-order", "--no-merges", "--format=%s", "main..soda/greeter")).split(
      "\n",
    );
    expect(subjects).toEqual([`[SODA] ${task}: First`, "own words"]);
  });

  test("[X-9] what ACT did is told in all: tasks, comments, subtasks, learnings, commits", async () => {
    await using stage = await openSodaStage({
      orient: ({ iteration }) => (iteration === 1 ? planNew("One", "Two") : satisfied),
      execute: async ({ title, directory }) => {
        await writeFile(join(directory, `${title}.txt`), "");
        if (title === "Two") return { outcome: "blocked", summary: "half of it", blocked_reason: "no key" };
        return { summary: "wrote it", new_subtasks: [{ title: "Part" }], learnings: ["the port is 80"] };
      },
    });
    const id = await stage.begin();
    await stage.atRest(id);
    const [first] = (await stage.hub.soda(id)).iterations;
    const [one = "", two = ""] = first?.tasks.map((task) => task.id) ?? [];
    const part = (await stage.itemsOf(id)).items.find(({ title }) => title === "Part")?.id;
    expect(first?.act).toMatchObject({
      tasks_completed: [one],
      tasks_blocked: [{ id: two, reason: "no key" }],
      new_subtasks: [{ id: part, parent: one, title: "Part" }],
      learnings: ["the port is 80"],
      commits: [
        { message: expect.stringContaining(`${one}: One`) },
        { message: expect.stringContaining(`${two} (in part, blocked)`) },
      ],
    });
    expect(first?.act?.task_comments).toContainEqual({ id: one, content: "wrote it" });
    expect(first?.act?.task_comments).toContainEqual({ id: two, content: "no key" });
  });
});
