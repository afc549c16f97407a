import { dirname, join } from "node:path";
import type { Projects, RunProgram, SodaProject } from "@ralpher/contract";
import { sodaHome } from "./home.ts";
import { compareTests } from "./tests/compare-tests.ts";

export interface ProjectsOptions {
  /** SODA's folder: absolute path. Default: `SODA_HOME`, else `~/.soda`. */
  home?: string | undefined;
  /** The folder with the captures, one folder for each run: absolute path, in the data folder. */
  outputs: string;
  runProgram: RunProgram;
  now?: (() => Date) | undefined;
}

/** Nearly all of this room: who starts Ralpher for other loops does not wait for it. */
const load = () => import("./parts.ts");

/** The Projects port. Creating it reads and makes nothing. */
export function createProjects({
  home = sodaHome(),
  outputs,
  runProgram,
  now = () => new Date(),
}: ProjectsOptions): Projects {
  const projectOf = (id: string): SodaProject => ({ id, home: join(home, "projects", id) });
  return {
    async bootstrap(directory) {
      const { makeHome, requireId } = await load();
      const { id, made } = await requireId(directory);
      const project = projectOf(id);
      await makeHome(project);
      return { project, made };
    },
    lockBeginning: async () => (await load()).takeLock(join(dirname(outputs), "beginning.lock")),
    async find(directory) {
      const id = await (await load()).findId(directory);
      return id === null ? null : projectOf(id);
    },
    readSpec: async (path) => (await load()).readSpec(path),
    specStamp: async (path) => (await load()).specStamp(path),
    memory: async (project) => (await load()).readMemory(project),
    writeMemory: async (project, text, options) => (await load()).writeMemory(project, text, options),
    learn: async (project, learnings) => (await load()).learn(project, learnings, now().toISOString().slice(0, 10)),
    writeSummary: async (project, name, text) => (await load()).writeSummary(project, name, text),
    linkOutputs: async (project, run) => (await load()).linkOutputs(project, outputs, run),
    survey: async (directory, command) => (await load()).survey(directory, command),
    checkTestCommand: async (command) => (await load()).checkTestCommand(command),
    test: async (request) => (await load()).runTests(runProgram, request),
    compare: compareTests,
  };
}
