import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "@ralpher/loop/lab";
import { lastJson, openStage } from "./src/stage.ts";

setDefaultTimeout(120_000);

const script = `conversations:
  - steps: [{ text: "Done. <promise>COMPLETE</promise>" }]
`;

test("[R-GIT-5, R-GIT-6] a branch is updated, shared, discarded, restored and squashed from the command line", async () => {
  await using stage = await openStage();
  const played = join(stage.folder, "script.yaml");
  await writeFile(played, script);
  const agent = ["--agent", "scripted", "--script", played];
  const run = [
    "loop",
    "run",
    "--dir",
    stage.repository,
    "--prompt",
    "Write it",
    "--name",
    "writer",
    ...agent,
    "--json",
  ];
  const { state } = lastJson((await stage.run(run)).out);
  const branch = state.git?.workingBranch ?? "";
  const inRepository = (...args: string[]) => git(stage.repository, ...args);
  const loop = (...args: string[]) => stage.run(["loop", ...args]);

  await writeFile(join(state.git?.worktree ?? "", "a.txt"), "a\n");
  await inRepository("commit", "-q", "--allow-empty", "-m", "meanwhile");
  const updated = await loop("update-branch", "writer", "--rebase");
  expect(updated).toMatchObject({ code: 0, out: expect.stringContaining("1 commit of") });
  expect(await loop("update-branch", "writer")).toMatchObject({ code: 0, out: "It has all of it already.\n" });
  expect(await inRepository("rev-list", "--count", `HEAD..${branch}`)).toBe("1");

  expect(await loop("push", "writer")).toMatchObject({ code: 5, err: expect.stringContaining("no remote") });
  const origin = join(stage.folder, "origin.git");
  await mkdir(origin);
  await git(origin, "init", "-q", "--bare");
  await inRepository("remote", "add", "origin", origin);
  expect(await loop("pr", "writer")).toMatchObject({ code: 5, err: expect.stringContaining("by hand") });
  const pushed = JSON.parse((await loop("push", "writer", "--remote", "origin", "--json")).out);
  expect(pushed).toEqual({ remote: "origin", branch, head: await git(origin, "rev-parse", branch), compareUrl: null });

  const tools = join(stage.folder, "tools");
  await mkdir(tools);
  const url = "https://github.com/ada/engine/pull/7";
  await writeFile(
    join(tools, "gh"),
    `#!/bin/sh\n[ "$2" = create ] || exit 1\nprintf '%s\\n' "$@" > '${tools}/said'\necho ${url}\n`,
  );
  await chmod(join(tools, "gh"), 0o755);
  const path = { PATH: `${tools}:${process.env.PATH}` };
  const made = await stage.run(["loop", "pr", "writer", "--title", "A title", "--draft", "--json"], path);
  expect(JSON.parse(made.out)).toEqual({ kind: "created", url });
  const said = (await readFile(join(tools, "said"), "utf8")).split("\n");
  expect(said).toEqual(expect.arrayContaining(["A title", "--draft", "--head", branch]));

  expect(await loop("restore", "writer")).toMatchObject({ code: 5 });
  const discarded = await loop("discard", "writer", "--yes");
  expect(discarded).toMatchObject({ code: 0, out: expect.stringContaining("ralpher loop restore") });
  const gone = await loop("diff", "writer");
  expect(gone).toMatchObject({
    code: 5,
    err: expect.stringMatching(/Bring it back first: ralpher loop restore [0-9a-f]{8}/),
  });
  const restored = await loop("restore", "writer");
  expect(restored).toMatchObject({ code: 0, out: `✓ ${branch} is back at ${pushed.head}\n` });
  await inRepository("branch", "-m", "trunk");
  expect(await loop("accept", "writer")).toMatchObject({
    code: 5,
    err: expect.stringContaining("ralpher loop target"),
  });
  expect(await loop("target", "writer", "nowhere")).toMatchObject({ code: 2, err: expect.stringContaining("nowhere") });
  expect(await loop("target", "writer", "-x")).toMatchObject({ code: 2 });
  expect(await loop("target", "writer", "trunk")).toMatchObject({ code: 0, out: expect.stringContaining("trunk") });
  const accepted = lastJson((await loop("accept", "writer", "--squash", "--json")).out);
  expect(accepted.state.status).toBe("accepted");
  expect(await inRepository("log", "-1", "--format=%s %P")).toBe(`writer ${await inRepository("rev-parse", "HEAD~1")}`);
  const logs = (await loop("logs", "writer")).out;
  for (const words of ["by rebase", "was pushed to origin", url, "The branch is back", "It merges into trunk"])
    expect(logs).toContain(words);
  for (const verb of ["accept", "update-branch", "restore", "target", "push", "pr"]) {
    expect((await loop(verb, "--help")).out).toContain(`ralpher loop ${verb} 3f2a`);
  }
});
