/**
 * project: what SODA keeps of a project and reads of it.
 *
 * Owns: `.soda-id` and that git does not see it, the project's folder below SODA's home (memory.md, outputs, summaries),
 * the locks that keep writers apart, and runs that begin, reading the spec, what a tree looks like from outside, how its tests are run, and what their output says.
 * Does not own: when any of that happens, what an agent is told, work items (trace), git (git), or how a program is run
 * and ended (agent).
 */
export { createProjects, type ProjectsOptions } from "./projects.ts";
