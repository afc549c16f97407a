import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { offlineClaudeEnvironment } from "@ralpher/agent";
import { Script } from "@ralpher/contract";
import { execute, orient, type SodaAgent, setUp, task, writing } from "./src/soda-script.ts";
import { git, openStage, type Stage } from "./src/stage.ts";

setDefaultTimeout(240_000);

const spec = `# Greeter

A small library in JavaScript.

## Acceptance criteria
- [ ] WHEN greet("Ada") is called, THEN it says hello to Ada
- [ ] WHEN the language is not English, THEN it greets in that language
`;

const ground = writing({
  "package.json": '{ "name": "greeter", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/greet.js": "export {};\n",
  "tests/smoke.test.js": 'import test from "node:test";\ntest("the tests run", () => {});\n',
});
const byName = writing({
  "src/greet.js": "export const greet = (name) => 'Hello, ' + name;\n",
  "tests/greet.test.js":
    'import assert from "node:assert";\nimport test from "node:test";\nimport { greet } from "../src/greet.js";\ntest("greets by name", () => assert.equal(greet("Ada"), "Hello, Ada"));\n',
});
const inFrench = writing({
  "src/greet.js":
    'export const greet = (name, language = "en") => (language === "fr" ? "Bonjour, " : "Hello, ") + name;\n',
  "tests/french.test.js":
    'import assert from "node:assert";\nimport test from "node:test";\nimport { greet } from "../src/greet.js";\ntest("greets in French", () => assert.equal(greet("Ada", "fr"), "Bonjour, Ada"));\n',
});
const asks = "Which language besides English?";

/** Until the run is stuck: the ground, one task done, one blocked. */
const first = (agent: SodaAgent) => ({
  conversations: [
    orient(1, {
      new_tasks: [task("new-1", "Lay the ground")],
      iteration_plan: { intent: "lay the ground", approach: "", tasks: ["new-1"] },
    }),
    ...execute(agent, "Lay the ground", ground),
    orient(2, {
      criteria: [{ criterion: "it says hello to Ada", satisfied: false, evidence: [] }],
      new_tasks: [task("new-1", "Greet by name"), task("new-2", "Greet in another language")],
      iteration_plan: { intent: "greet", approach: "test first", tasks: ["new-1", "new-2"] },
    }),
    // Agents find trc on their PATH.
    ...execute(agent, "Greet by name", `set -e\ntrc list\n${byName}`, { learnings: ["tests run with node --test"] }),
    ...execute(agent, "Greet in another language", "true", { outcome: "blocked", blocked_reason: asks }),
    orient(3, {
      criteria: [
        { criterion: "it says hello to Ada", satisfied: true, evidence: [{ file: "src/greet.js", line: 1 }] },
        { criterion: "it greets in that language", satisfied: false, evidence: [] },
      ],
      actionable_work_exists: false,
      gaps: [{ severity: "critical", description: asks }],
    }),
    setUp,
  ],
});

/** After a human's word. */
const second = (agent: SodaAgent, blocked: string) => ({
  conversations: [
    orient(4, {
      task_updates: [{ id: blocked, action: "unblock", comment: "a human chose French" }],
      iteration_plan: { intent: "greet in French", approach: "", tasks: [blocked] },
    }),
    ...execute(agent, "Greet in another language", inFrench),
    orient(5, {
      summary: "both criteria hold",
      criteria: [
        { criterion: "it says hello to Ada", satisfied: true, evidence: [{ test: "greets by name" }] },
        { criterion: "it greets in that language", satisfied: true, evidence: [{ test: "greets in French" }] },
      ],
      spec_satisfied: true,
      actionable_work_exists: false,
    }),
    setUp,
  ],
});

async function openSoda(agent: SodaAgent) {
  const stage = await openStage(first(agent), {
    program: [process.execPath, join(import.meta.dir, "../packages/cli/src/soda.ts")],
  });
  const project = join(stage.folder, "greeter");
  await mkdir(project);
  await writeFile(join(project, "Sodafile"), spec);
  const home = join(stage.folder, "claude-home");
  await mkdir(home);
  const { PATH: _, ...claude } = await offlineClaudeEnvironment({ home, modelUrl: stage.model?.url ?? "" });
  const env = {
    ...(agent === "claude" ? claude : {}),
    SODA_HOME: join(stage.folder, "soda"),
    TRACE_HOME: join(stage.folder, "trace"),
    GIT_AUTHOR_NAME: "Somebody",
    GIT_AUTHOR_EMAIL: "somebody@localhost",
    GIT_COMMITTER_NAME: "Somebody",
    GIT_COMMITTER_EMAIL: "somebody@localhost",
  };
  const soda = (...args: string[]) => stage.start(args, env, project);
  const trc = async (...args: string[]) => {
    const run = Bun.spawn([process.execPath, join(import.meta.dir, "../packages/cli/src/trc.ts"), ...args], {
      cwd: project,
      env: { ...stage.env, ...env },
      stdout: "pipe",
      stderr: "inherit",
    });
    return await new Response(run.stdout).text();
  };
  return { stage, project, soda, trc, env, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}

/** The id of the item with this title. */
async function idOf(trc: (...args: string[]) => Promise<string>, title: string): Promise<string> {
  const list = await trc("list", "--json");
  return new RegExp(`"id":\\s*"([^"]+)"[^{}]*"title":\\s*"${title}"`).exec(list)?.[1] ?? `no item in ${list}`;
}

function playOn({ model }: Stage, script: Record<string, unknown>): void {
  model?.play(Script.parse(script));
}

/** Run the project's own tests, as the branch has it. */
async function testsOf(project: string, branch: string, into: string): Promise<{ code: number; out: string }> {
  await git(project, "clone", "-q", "--branch", branch, project, into);
  const run = Bun.spawn(["npm", "test"], { cwd: into, stdout: "pipe", stderr: "pipe" });
  return { out: await new Response(run.stdout).text(), code: await run.exited };
}

describe("soda run", () => {
  test.each(["opencode", "claude"] as const)(
    "[L-CLI-1, L-BOOT-1, L-KICK-1, L-KICK-2, L-HUM-1, L-HUM-2, L-HUM-5, L-END-4, L-END-5, X-2, O-2] from a spec in an empty folder to a project whose tests pass, with the real %s and a human's comment",
    async (agent) => {
      await using all = await openSoda(agent);
      const { stage, project, soda, trc } = all;
      const run = soda("run", "--agent", agent, "--wait");
      await run.says(asks);
      await run.says("soda answer");
      const blocked = await idOf(trc, "Greet in another language");
      expect(await trc("show", blocked)).toContain("Blocked:");
      playOn(stage, second(agent, blocked));
      await trc("comment", blocked, "French, please");

      const { code, out } = await run.ended;
      expect({ code, out }).toMatchObject({ code: 0 });
      for (const words of ["Lay the ground", "Greet by name", "unblock", "both criteria hold"])
        expect(out).toContain(words);

      const tested = await testsOf(project, "soda/greeter", join(stage.folder, "clone"));
      expect(tested).toMatchObject({ code: 0 });
      expect(tested.out).toContain("greets in French");
      expect(await git(project, "log", "--topo-order", "--format=%s", "--no-merges", "soda/greeter")).toMatch(
        /^\[SODA\] \S+: Greet in another language\n\[SODA\] \S+: Greet by name\n\[SODA\] \S+: Lay the ground\n\S+/,
      );
      expect(await git(project, "status", "--porcelain")).toBe("?? Sodafile");
      const heard = stage.model?.requests.filter(({ prompt }) => prompt?.includes("French, please")) ?? [];
      expect(heard.length).toBeGreaterThan(0);

      const [id = ""] = await readdir(join(stage.folder, "soda", "projects"));
      const home = join(stage.folder, "soda", "projects", id);
      expect(await Bun.file(join(home, "memory.md")).text()).toContain("node --test");
      expect((await readdir(join(home, "summaries"))).length).toBe(2);
      const [captures = ""] = await readdir(join(home, "outputs"));
      expect((await readdir(join(home, "outputs", captures))).length).toBeGreaterThan(5);

      const remote = join(stage.folder, "remote.git");
      await git(project, "init", "-q", "--bare", remote);
      // What ssh would reach is a folder beside it.
      const ssh = join(stage.folder, "ssh");
      await writeFile(ssh, `#!/bin/sh\nexec git receive-pack '${remote}'\n`, { mode: 0o755 });
      await git(project, "remote", "add", "origin", "git@github.com:somebody/greeter.git");
      await git(project, "config", "core.sshCommand", ssh);
      const pr = await soda("pr").ended;
      expect(pr).toMatchObject({
        code: 0,
        out: expect.stringContaining("github.com/somebody/greeter/compare/main...soda/greeter"),
      });
      expect(await stage.leftovers()).toEqual([]);
    },
  );

  test("[L-LIM-3, L-CLI-5, L-MILE-5] kill -9 in the middle of an executor's work: soda resume goes on with the same branch and tasks", async () => {
    await using all = await openSoda("opencode");
    const { stage, project, soda, trc } = all;
    const script = {
      conversations: [
        orient(1, {
          new_tasks: [task("new-1", "Lay the ground")],
          iteration_plan: { intent: "lay the ground", approach: "", tasks: ["new-1"] },
        }),
        ...execute("opencode", "Lay the ground", ground),
        orient(2, {
          spec_satisfied: true,
          actionable_work_exists: false,
          criteria: ["hello", "language"].map((criterion) => ({
            criterion,
            satisfied: true,
            evidence: [{ file: "package.json" }],
          })),
        }),
        setUp,
      ],
    };
    const slow = {
      text: "I think.",
      tools: [
        {
          name: "bash",
          input: { command: "echo begun > begun.txt; sleep 300", description: "Wait", timeout: 400_000 },
        },
      ],
    };
    playOn(stage, {
      conversations: [{ when: "(Lay the ground). ", steps: [slow, { text: "late" }] }, ...script.conversations],
    });
    const run = soda("run", "--agent", "opencode");
    await run.says("Lay the ground");
    const worktrees = join(stage.dataDir, "worktrees");
    while (
      !(await readdir(worktrees, { recursive: true }).catch(() => [])).some((path) => path.endsWith("begun.txt"))
    ) {
      await Bun.sleep(50);
    }
    run.signal("SIGKILL");
    await run.ended;
    playOn(stage, script);
    const resumed = await soda("resume", "--json").ended;
    expect(resumed.code).toBe(0);
    expect((await git(project, "branch", "--list", "--format=%(refname:short)", "soda/*")).trim()).toBe("soda/greeter");
    expect((await testsOf(project, "soda/greeter", join(stage.folder, "clone"))).code).toBe(0);
    const list = await trc("list", "--json", "--status", "closed", "--status", "open", "--status", "blocked");
    expect(list.match(/"title":\s*"Lay the ground"/g)).toHaveLength(1);
    expect(list.match(/"title":\s*"Greeter"/g)).toHaveLength(1);
  });
});
