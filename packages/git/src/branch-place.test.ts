import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFixture } from "./fixture.ts";

test("[R-RUN-6] a worktree that another process is making at this moment stops nobody", async () => {
  using fixture = createFixture();
  const workspace = await fixture.workspaces.open(fixture.request());
  fixture.write("a.txt", "the loop's\n", workspace.directory);
  await fixture.workspaces.save({ workspace, since: workspace.baseSha, message: "work" });
  fixture.git(["checkout", "--quiet", "-b", "elsewhere"]);
  // Git makes the record of a worktree file by file; half of it is there until somebody asked twice.
  const record = join(fixture.repository, ".git/worktrees/half");
  const git = join(fixture.folder, "git-with-company");
  writeFileSync(
    git,
    `#!/bin/sh
case "$*" in *"worktree list"*)
  if [ ! -e '${record}.seen' ]; then
    mkdir -p '${record}'; : > '${record}/commondir'; echo x > '${record}/gitdir'; touch '${record}.seen'
    git "$@"; code=$?; rm -r '${record}'; exit $code
  fi
esac
exec git "$@"
`,
  );
  chmodSync(git, 0o755);
  expect(await fixture.again({ git }).accept(workspace, "merge")).toMatchObject({ kind: "merged" });
});
