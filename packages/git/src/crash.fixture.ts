import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspaces } from "@ralpher/contract";
import type { Fixture } from "./fixture.ts";

/**
 * Call a verb in a process of its own that is killed (SIGKILL) at its n-th call of git, before git ran or after it did.
 * False when the verb makes fewer calls and so came through.
 */
export function killedAt(
  fixture: Fixture,
  call: number,
  when: "before" | "after",
  verb: keyof Workspaces,
  args: unknown[],
): boolean {
  const count = join(fixture.folder, "count");
  const git = join(fixture.folder, "deadly-git");
  const run = when === "before" ? "" : 'git "$@" > /dev/null 2>&1; ';
  writeFileSync(count, "");
  writeFileSync(
    git,
    `#!/bin/sh
[ "$*" = version ] && exec git version
echo x >> '${count}'
if [ $(wc -l < '${count}') -eq ${call} ]; then ${run}kill -9 $PPID; exit 1; fi
exec git "$@"
`,
  );
  chmodSync(git, 0o755);
  const script = `
    import { createWorkspaces } from ${JSON.stringify(join(import.meta.dir, "workspaces.ts"))};
    const workspaces = createWorkspaces(${JSON.stringify({ root: fixture.root, env: fixture.env, git })});
    await workspaces.${verb}(...${JSON.stringify(args)});`;
  const child = Bun.spawnSync([process.execPath, "-e", script], { env: fixture.env, stderr: "pipe" });
  if (child.exitCode === 0) return false;
  if (child.signalCode !== "SIGKILL") throw new Error(child.stderr.toString());
  return true;
}

/** Do it for every call, so that the process dies once at each, until it comes through. Returns how many there were. */
export async function atEveryCall(each: (call: number) => Promise<boolean>): Promise<number> {
  for (let call = 1; ; call++) if (!(await each(call))) return call - 1;
}

/** Before a call, everything up to it is done; after it, what we do between two calls is not. */
export const moments = ["before", "after"] as const;
