import type { Regression, TestResult } from "../soda/act.ts";
import type { ProjectSurvey } from "../soda/claims.ts";
import type { Learning } from "../soda/orientation.ts";
import type { SodaProject, Spec } from "../soda/settings.ts";

export interface TestRequest {
  /** Where they are run: absolute path. */
  directory: string;
  /** How; absent: what the project's manifest says. */
  command?: string | undefined;
  timeoutMs: number;
  /** Ends them; the result then tells what there was so far, with no exit code. */
  signal: AbortSignal;
  /** Told what they print, in pieces. */
  onOutput?: ((text: string) => void) | undefined;
}

/**
 * What SODA keeps of a project and reads of it: its identity, its memory, its spec, its tests. `directory` is the folder
 * of the user's checkout, or of a worktree, that the project is in: absolute path.
 */
export interface Projects {
  /**
   * Give the folder a `.soda-id` if it has none, and make the project's folder. `made`: the id is new. Idempotent.
   * @throws Fault `soda_home_unusable`, `directory_missing`
   */
  bootstrap(directory: string): Promise<{ project: SodaProject; made: boolean }>;
  /**
   * Held while a run is begun, so that of two that are begun at once one sees the other. In all processes of a data folder.
   * Must be disposed. @throws Fault `soda_home_unusable` after 10 s, `disk_full`
   */
  lockBeginning(): Promise<Disposable>;
  /** Null when the folder was never bootstrapped. @throws Fault `soda_home_unusable` for an id that is none */
  find(directory: string): Promise<SodaProject | null>;
  /** `path` is absolute. @throws Fault `spec_unusable` */
  readSpec(path: string): Promise<Spec>;
  /** Cheap, for watching: changes whenever the file may have. Null when it is gone. */
  specStamp(path: string): Promise<string | null>;

  /** The content of memory.md; empty when there is none (M2-2). */
  memory(project: SodaProject): Promise<string>;
  /** Put text in place of memory.md's content, or at its end. Warnings when it is larger than 50 KB. */
  writeMemory(project: SodaProject, text: string, options?: { replace?: boolean | undefined }): Promise<string[]>;
  /**
   * Add learnings that are not there yet, and take out deprecated ones (X-6, O-3). Returns those that were added, and
   * warnings.
   */
  learn(project: SodaProject, learnings: Learning[]): Promise<{ added: string[]; warnings: string[] }>;
  /** Write a summary below `summaries/`, aside first. Returns its absolute path. */
  writeSummary(project: SodaProject, name: string, text: string): Promise<string>;
  /** Make the captures of a run show up below the project's `outputs/`. Idempotent. */
  linkOutputs(project: SodaProject, run: string): Promise<void>;

  /** Look at the tree from outside. */
  survey(directory: string, command?: string): Promise<ProjectSurvey>;
  /**
   * Could tests be run with this command? Not whether its program is there, for a task may yet make it.
   * @throws Fault `test_command_unusable` for what only a shell could do, and for no command
   */
  checkTestCommand(command: string): Promise<void>;
  /**
   * Run the tests. Never throws for what they do. A runner that fails because it finds no tests counts as one whose tests
   * all pass; a program that is not there as one that failed with exit code 127. @throws Fault `test_command_unusable`, `directory_missing`
   */
  test(request: TestRequest): Promise<TestResult>;
  /** What is worse in `now` than in the baseline. Pure. */
  compare(baseline: TestResult, now: TestResult): Regression;
}
