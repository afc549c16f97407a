import type { ProjectSurvey } from "@ralpher/contract";
import { findTestCommand } from "../test-command/find-test-command.ts";
import { lookAround } from "./look-around.ts";

/** Look at the tree from outside. `command`: how its tests are run, when somebody has said so. */
export async function survey(directory: string, command?: string): Promise<ProjectSurvey> {
  const around = await lookAround(directory);
  return {
    has_code: around.hasCode,
    has_tests: around.hasTests,
    manifests: around.manifests,
    test_command: command ?? (await findTestCommand(directory, around))?.join(" ") ?? null,
  };
}
