import { z } from "zod";
import { Usage } from "./agent.ts";
import { GitCommit } from "./git.ts";
import { Timestamp } from "./ids.ts";
import { IterationSummary } from "./iteration.ts";
import { LoopSettings, LoopState } from "./loop.ts";
import { unknownUsage } from "./usage.ts";

/**
 * A loop as POST /api/loops/import takes it: one that was exported, here or by another program with the shapes of seed
 * 004 (§3.1, §3.2), where some of what we tell is absent. What we do not know is left out.
 */
export const LoopImport = z.object({
  config: LoopSettings.extend({
    id: z.string().optional(),
    createdAt: Timestamp.optional(),
    updatedAt: Timestamp.optional(),
  }),
  state: LoopState.omit({ id: true, queued: true, session: true, asked: true, waitingUntil: true }).extend({
    currentIteration: LoopState.shape.currentIteration.default(0),
    usage: Usage.default(unknownUsage),
    recentIterations: z
      .array(
        IterationSummary.extend({
          usage: Usage.default(unknownUsage),
          commits: z.int().nonnegative().default(0),
        }),
      )
      .default([]),
    git: z
      .object({
        originalBranch: z.string(),
        workingBranch: z.string(),
        worktree: z.string().default(""),
        baseSha: z.string().default(""),
        commits: z.array(GitCommit).default([]),
        commitCount: z.int().nonnegative().optional(),
        mergeCommit: z.string().optional(),
      })
      .transform((git) => ({ ...git, commitCount: git.commitCount ?? git.commits.length }))
      .optional(),
  }),
});
export type LoopImport = z.infer<typeof LoopImport>;
