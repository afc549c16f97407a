import { z } from "zod";
import { Timestamp } from "../ids.ts";
import { Priority, WorkItemId, WorkItemStatus } from "../work-item.ts";

/** A part of the claims whose source could not be read says why; the other parts stand (seed 001). */
const section = <S extends z.ZodType>(schema: S) => z.union([schema, z.object({ error: z.string() })]);

/** What git says. Lists hold the newest or first entries only; the counts are of all. */
export const CodeState = z.object({
  branch: z.string().nullable(),
  staged: z.int().nonnegative(),
  /** Changed but not staged, new files included. */
  unstaged: z.int().nonnegative(),
  /** The commit the milestone began at; null when there is none. */
  base: z.string().nullable(),
  /** Since the base, newest first. */
  commits: z.array(z.object({ hash: z.string(), message: z.string(), timestamp: Timestamp })),
  commit_count: z.int().nonnegative(),
  /** Since the base, committed ones; `null` lines for a binary file. */
  files_changed: z.array(
    z.object({
      path: z.string(),
      added: z.int().nonnegative().nullable(),
      removed: z.int().nonnegative().nullable(),
    }),
  ),
  file_count: z.int().nonnegative(),
  lines_added: z.int().nonnegative(),
  lines_removed: z.int().nonnegative(),
  note: z.literal("no base commit").nullable(),
});
export type CodeState = z.infer<typeof CodeState>;

/** What the project looks like from outside: is there anything to build on, and how is it tested? */
export const ProjectSurvey = z.object({
  /** Files of the kinds that programs are written in. False: the first iteration has to lay the ground. */
  has_code: z.boolean(),
  has_tests: z.boolean(),
  /** e.g. `package.json`, `pyproject.toml`; paths from the project's folder. */
  manifests: z.array(z.string()),
  /** How its tests are run; null when nothing says so. */
  test_command: z.string().nullable(),
});
export type ProjectSurvey = z.infer<typeof ProjectSurvey>;

const Task = z.object({
  id: WorkItemId,
  title: z.string(),
  status: WorkItemStatus,
  priority: Priority,
  /** Null directly under the root. */
  parent: WorkItemId.nullable(),
  /** Status `blocked`, or waits for something open. */
  blocked: z.boolean(),
});

export const WorkState = z.object({
  root: z.object({ id: WorkItemId, title: z.string(), status: WorkItemStatus }).nullable(),
  /** By priority, then oldest first. */
  open: z.array(Task),
  blocked: z.array(z.object({ id: WorkItemId, title: z.string(), reason: z.string() })),
  closed: z.array(z.object({ id: WorkItemId, title: z.string() })),
  /** The last ten in the milestone, oldest first. */
  comments: z.array(z.object({ task_id: WorkItemId, source: z.string(), content: z.string(), timestamp: z.string() })),
  note: z.literal("no root work item").nullable(),
});
export type WorkState = z.infer<typeof WorkState>;

/** Something that came back without progress in between: reason to investigate it. */
export const Repeat = z.object({
  kind: z.enum(["criterion", "test", "intent"]),
  what: z.string(),
  times: z.int().min(2),
});
export type Repeat = z.infer<typeof Repeat>;

export const ProjectState = z.object({
  iteration_number: z.int().positive(),
  /** The last five, oldest first. */
  history: z.array(z.object({ iteration: z.int().positive(), intent: z.string(), outcome: z.string() })),
  last_summaries: z.object({ executor: z.string().nullable(), verifier: z.string().nullable() }),
  repeats: z.array(Repeat),
  note: z.literal("first iteration").nullable(),
});
export type ProjectState = z.infer<typeof ProjectState>;

/**
 * `answer`: said to a loop that was stuck; `correction`: said to one at work; `comment`, `task_update`: made in the work
 * items by somebody else than this loop; `spec`: the spec was changed.
 */
export const HumanInput = z.object({
  type: z.enum(["answer", "correction", "comment", "task_update", "spec"]),
  content: z.string(),
  task_id: WorkItemId.optional(),
  timestamp: z.string(),
});
export type HumanInput = z.infer<typeof HumanInput>;

/** What the systems claim, judged by nobody yet: what SENSE gathers and ORIENT gets (seed 001). */
export const Claims = z.object({
  timestamp: Timestamp,
  iteration_number: z.int().positive(),
  code_state: section(CodeState),
  /** The tree the code is in, looked at from outside. */
  survey: section(ProjectSurvey),
  work_state: section(WorkState),
  project_state: section(ProjectState),
  /** Null when nothing is pending. */
  human_input: section(z.object({ items: z.array(HumanInput), spec_modified: z.boolean() })).nullable(),
  /** The content of memory.md; empty when there is none. */
  learnings: section(z.string()),
});
export type Claims = z.infer<typeof Claims>;

/** Could this part be read? */
export function isRead<T>(part: T | { error: string }): part is T {
  return !(typeof part === "object" && part !== null && "error" in part);
}
