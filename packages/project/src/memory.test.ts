import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SodaProject } from "@ralpher/contract";
import { openStage, type Stage } from "./stage.fixture.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const fresh = async (): Promise<SodaProject> => (await stage.projects.bootstrap(await stage.folder())).project;

test("[M2-2, S-LEARN-1, S-LEARN-2] the memory is empty when there is none, and grows unless it is to be replaced", async () => {
  const project = await fresh();
  expect(await stage.projects.memory(project)).toBe("");
  expect(await stage.projects.writeMemory(project, "one")).toEqual([]);
  await stage.projects.writeMemory(project, "two\n");
  expect(await stage.projects.memory(project)).toBe("one\ntwo\n");
  await stage.projects.writeMemory(project, "three", { replace: true });
  expect(await stage.projects.memory(project)).toBe("three");
  expect(await readFile(join(project.home, "memory.md"), "utf8")).toBe("three");
});

test("[M2-2] a memory above 50 KB is warned of, and written all the same", async () => {
  const project = await fresh();
  expect(await stage.projects.writeMemory(project, "x".repeat(50 * 1024), { replace: true })).toEqual([]);
  const [warning] = await stage.projects.writeMemory(project, "more");
  expect(warning).toContain("50 KB");
  expect((await stage.projects.learn(project, [{ text: "y", action: "add" }])).warnings).toHaveLength(1);
  expect(await stage.projects.memory(project)).toEndWith("- y\n");
});

test("[X-6] what was learned is told, once, under the day's heading", async () => {
  const project = await fresh();
  const learnings = [{ text: "Use bun test.", action: "add" as const }];
  expect(await stage.projects.learn(project, learnings)).toEqual({ added: ["Use bun test."], warnings: [] });
  expect(await stage.projects.learn(project, learnings)).toEqual({ added: [], warnings: [] });
  expect(await stage.projects.memory(project)).toBe("## 2026-05-04\n\n- Use bun test.\n");
});

const writer = `
const [home, id, name] = process.argv.slice(2);
const { createProjects } = await import(${JSON.stringify(join(import.meta.dir, "projects.ts"))});
const projects = createProjects({ home: "/nowhere", outputs: "/nowhere", runProgram: () => { throw new Error(); } });
for (let n = 0; n < 40; n++) {
  if (n % 2 === 0) await projects.writeMemory({ id, home }, \`- \${name} \${n}\`);
  else await projects.learn({ id, home }, [{ text: \`\${name} \${n}\`, action: "add" }]);
}
`;

test("[M2-2] several processes lose none of each other's lines", async () => {
  const project = await fresh();
  const file = join(await stage.folder({ "writer.ts": writer }), "writer.ts");
  const writers = ["one", "two", "three"].map((name) =>
    Bun.spawn([process.execPath, file, project.home, project.id, name], { stdout: "inherit", stderr: "inherit" }),
  );
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0, 0]);
  const lines = (await stage.projects.memory(project)).split("\n").filter((line) => line.startsWith("- "));
  expect(lines).toHaveLength(120);
  expect(new Set(lines).size).toBe(120);
  expect((await readdir(project.home)).sort()).toEqual(["memory.md", "memory.md.lock"]);
});
