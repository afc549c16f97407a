import type { Git, GitResult } from "./run-git.ts";

/** One change to a ref. `old` is what it must be now: a commit, or null for "must not exist"; absent: anything. */
export type RefChange = { ref: string; to: string | null; old?: string | null };

/** Change refs in one transaction: all of them or none. The result's code is 0 when it went through. */
export function updateRefs(git: Git, cwd: string, changes: readonly RefChange[], why: string): Promise<GitResult> {
  const stdin = changes.map((change) => `${line(change)}\n`).join("");
  return git.run(["update-ref", "-m", `ralpher: ${why}`, "--stdin"], { cwd, stdin });
}

function line({ ref, to, old }: RefChange): string {
  if (to === null) return old ? `delete ${ref} ${old}` : `delete ${ref}`;
  if (old === undefined) return `update ${ref} ${to}`;
  return old === null ? `create ${ref} ${to}` : `update ${ref} ${to} ${old}`;
}
