import { expect, setDefaultTimeout, test } from "bun:test";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Loop, StoredEvent } from "@ralpher/contract";
import { lastJson, openStage } from "./src/stage.ts";

setDefaultTimeout(120_000);

const script = `conversations:
  - when: "This is iteration 1 "
    steps: [{ text: "A first look.", tools: [{ name: write, input: { path: a.txt, content: a } }] }, { text: "More to do." }]
  - steps: [{ text: "Done. <promise>COMPLETE</promise>" }]
`;

test("[R-DATA-3] a loop goes to another data folder with all its history, and begins there again", async () => {
  await using stage = await openStage();
  const played = join(stage.folder, "script.yaml");
  await writeFile(played, script);
  const agent = ["--agent", "scripted", "--script", played];
  const run = ["loop", "run", "--dir", stage.repository, "--prompt", "Go", "--name", "wanderer", ...agent];
  expect(await stage.run(run)).toMatchObject({ code: 0 });
  const there = { RALPHER_DATA_DIR: join(stage.folder, "elsewhere") };

  const bundle = join(stage.folder, "wanderer.gz");
  expect(await stage.run(["loop", "export", "wanderer", "--bundle", "-o", bundle])).toMatchObject({ code: 0 });
  expect((await stat(bundle)).mode & 0o077).toBe(0);
  const imported = await stage.run(["loop", "import", bundle, "--json"], there);
  expect(imported.code).toBe(0);
  const { config, state } = lastJson(imported.out);
  expect(state).toMatchObject({ status: "completed", currentIteration: 2 });
  const logs = (await stage.run(["loop", "logs", "wanderer", "--json"], there)).out.trim().split("\n");
  const types = logs.map((line) => (JSON.parse(line) as StoredEvent).type);
  expect(types).toContain("loop.tool_call");
  expect(types.at(-1)).toBe("loop.imported");
  const outputs = JSON.parse((await stage.run(["outputs", "list", "--loop", "wanderer", "--json"], there)).out);
  expect(outputs).toHaveLength(2);
  expect((await stage.run(["loop", "logs", "wanderer"], there)).out).toContain("It came from elsewhere");

  const again = await stage.run(["loop", "start", config.id, "--json"], there);
  expect(again.code).toBe(0);
  expect(lastJson(again.out).state).toMatchObject({ status: "completed", currentIteration: 3 });

  const plain = await stage.run(["loop", "export", "wanderer"]);
  const loop = JSON.parse(plain.out) as Loop;
  expect(loop.config).toEqual(config);
  const file = join(stage.folder, "loop.json");
  await writeFile(file, plain.out);
  const second = await stage.run(["loop", "import", file], there);
  expect(second).toMatchObject({ code: 0, out: expect.stringContaining("ralpher loop start") });
  expect(await stage.run(["loop", "export", "wanderer"], there)).toMatchObject({ code: 2 });

  const refused = await stage.run(["loop", "import", played], there);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("neither a bundle nor JSON") });
  expect(await stage.run(["loop", "import", join(stage.folder, "none")], there)).toMatchObject({ code: 2 });
  const nowhere = await stage.run(["loop", "export", config.id, "-o", join(stage.folder, "no", "where")]);
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining("ENOENT") });
});
