import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CaptureRecord, CaptureSummary } from "@ralpher/contract";
import { appendingScript } from "./src/scripts.ts";
import { lastJson, openStage } from "./src/stage.ts";

setDefaultTimeout(120_000);

test("[A-CAP-1, A-CAP-2] each iteration's conversation is captured, listed, shown, and gone with its loop", async () => {
  await using stage = await openStage({ ...appendingScript(2), usage: { inputTokens: 70, outputTokens: 7 } });
  await writeFile(
    join(stage.folder, "loud.yaml"),
    `conversations: [{ steps: [{ text: I look., tools: [{ name: bash, input: { command: "echo $DOOR_PASSWORD" } }] }, { text: "Done. <promise>COMPLETE</promise>" }] }]`,
  );
  const secret = "open-sesame-123";
  const scripted = ["--agent", "scripted", "--script", join(stage.folder, "loud.yaml"), "--name", "loud"];
  const run = ["loop", "run", "--dir", stage.repository, "--prompt", "Go", ...scripted];
  expect(await stage.run(run, { DOOR_PASSWORD: secret })).toMatchObject({ code: 0 });
  const real = ["loop", "run", "--dir", stage.repository, "--prompt", "Add lines", "--model", "scripted/model"];
  expect(await stage.run([...real, "--name", "real"])).toMatchObject({ code: 0 });

  const list = JSON.parse((await stage.run(["outputs", "list", "--json"])).out) as CaptureSummary[];
  expect(list.map(({ header, ended, outcome }) => [header.backend, header.title, ended, outcome])).toEqual([
    ["opencode", "real, iteration 2", true, "done"],
    ["opencode", "real, iteration 1", true, "done"],
    ["scripted", "loud, iteration 1", true, "done"],
  ]);
  const ofLoop = await stage.run(["outputs", "list", "--loop", "loud", "--json"]);
  expect(JSON.parse(ofLoop.out)).toEqual(list.slice(2));
  expect((await stage.run(["outputs", "list"])).out).toContain("real, iteration 2");

  const [newest, , loudest] = list;
  const shown = await stage.run(["outputs", "show", newest?.header.id.slice(0, 8) ?? ""]);
  expect(shown.code).toBe(0);
  for (const text of ["Add lines", "I look first.", "bash echo", "<promise>COMPLETE</promise>", "✓ done"]) {
    expect(shown.out).toContain(text);
  }
  const raw = await stage.run(["outputs", "show", newest?.path ?? "", "--json"]);
  const records = raw.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as CaptureRecord);
  expect(records[0]).toMatchObject({ type: "header", agentType: "loop", model: { modelID: "model" } });
  expect(records.at(-1)).toMatchObject({ type: "end", usage: { outputTokens: 21 } });
  expect(records.filter(({ type }) => type === "tool")).toHaveLength(2);

  // Neither the capture nor the journal keeps what the environment holds secret.
  for (const command of [
    ["outputs", "show", loudest?.path ?? "", "--full"],
    ["loop", "logs", "loud", "--json"],
  ]) {
    const { out } = await stage.run(command);
    expect(out).toContain("[redacted DOOR_PASSWORD]");
    expect(out).not.toContain(secret);
  }

  const folders = () => readdir(join(stage.dataDir, "outputs"));
  expect(await folders()).toHaveLength(2);
  expect(await stage.run(["loop", "delete", "-y", "real"])).toMatchObject({ code: 0 });
  expect(await folders()).toHaveLength(1);
});

test("[A-CAP-2, R-DATA-3] the conversations of an imported copy and of its original are told apart", async () => {
  await using stage = await openStage();
  const script = join(stage.folder, "quick.yaml");
  await writeFile(script, `conversations: [{ steps: [{ text: "Done. <promise>COMPLETE</promise>" }] }]`);
  const run = ["loop", "run", "--dir", stage.repository, "--prompt", "Go", "--agent", "scripted", "--script", script];
  expect(await stage.run(run)).toMatchObject({ code: 0 });
  const list = async () =>
    (await stage.run(["outputs", "list"])).out
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0] ?? "");
  const [id = ""] = await list();
  expect(id).toMatch(/^[0-9a-f]{8}$/);

  const [original] = JSON.parse((await stage.run(["loop", "list", "--json"])).out);
  const bundle = join(stage.folder, "copy.gz");
  expect(await stage.run(["loop", "export", original.config.id, "--bundle", "-o", bundle])).toMatchObject({ code: 0 });
  const copy = lastJson((await stage.run(["loop", "import", bundle, "--json"])).out);
  const names = await list();
  const short = (of: string) => of.slice(0, 8);
  expect(names.toSorted()).toEqual(
    [original.config.id, copy.config.id].map((loopId) => `${short(loopId)}/${id}`).toSorted(),
  );
  const unclear = await stage.run(["outputs", "show", id]);
  expect(unclear.code).toBe(2);
  for (const name of names) {
    expect(unclear.err).toContain(name);
    expect(await stage.run(["outputs", "show", name])).toMatchObject({
      code: 0,
      out: expect.stringContaining("Done."),
    });
  }
  // Nothing of its is here to be looked at or taken over.
  const shown = (await stage.run(["loop", "show", copy.config.id])).out;
  expect(shown).toContain("ralpher loop start");
  expect(shown).not.toContain("ralpher loop accept");
});

test("what is no captured conversation is refused with what to do", async () => {
  await using stage = await openStage();
  expect((await stage.run(["outputs", "list"])).out).toContain("No conversations are captured");
  const unknown = await stage.run(["outputs", "show", "beef"]);
  expect(unknown).toMatchObject({ code: 4, err: expect.stringContaining("ralpher outputs list") });
  const other = await stage.run(["outputs", "show", join(stage.repository, "notes.txt")]);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining("header") });
});
