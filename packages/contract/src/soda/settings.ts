import { z } from "zod";

/** What a person may set about a SODA loop beyond what all loops have. Its prompt is the spec, as it was last read. */
export const SodaSettings = z.object({
  type: z.literal("soda"),
  /** The spec, by its path from the loop's folder, or absolute. A changed file is obeyed from the next iteration on. */
  spec: z.string().min(1).default("Sodafile"),
  /** The branch the milestone begins from. Default: main, else master, else the branch that is checked out. */
  base: z.string().min(1).optional(),
  /** How the project's tests are run, program first, without a shell. Default: what its manifest says. */
  test: z.string().trim().min(1).optional(),
  /** Tests that take longer are ended, and count as failed. */
  testTimeoutSeconds: z.int().positive().default(600),
});
export type SodaSettings = z.infer<typeof SodaSettings>;

/** Where SODA keeps what it knows of a project. */
export const SodaProject = z.object({
  /** The UUID in `.soda-id`. */
  id: z.string().min(1),
  /** `~/.soda/projects/<id>`: absolute path. */
  home: z.string().min(1),
});
export type SodaProject = z.infer<typeof SodaProject>;

/** The spec as it was read. */
export const Spec = z.object({
  /** Absolute path. */
  path: z.string(),
  text: z.string(),
  /** SHA-256 of the text, in hex. */
  sha: z.string(),
  /** Its first heading, or its first line. */
  title: z.string(),
});
export type Spec = z.infer<typeof Spec>;
