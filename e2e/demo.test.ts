import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { lastJson, openStage } from "./src/stage.ts";

setDefaultTimeout(120_000);

describe("ralpher demo", () => {
  test.each(["opencode", "claude", "acp"])(
    "[R-RUN-2, R-RUN-3, A-BACK-1] mends the project in three iterations of the real %s, and its tests pass",
    async (agent) => {
      await using stage = await openStage();
      const { code, out } = await stage.run(["demo", "--agent", agent, "--json"]);
      expect(code).toBe(0);
      const result = lastJson(out) as ReturnType<typeof lastJson> & { testsPassed: boolean; files: { path: string }[] };
      expect(result.state).toMatchObject({ status: "completed", currentIteration: 3, git: { commitCount: 3 } });
      expect(result.testsPassed).toBe(true);
      expect(result.files.map(({ path }) => path)).toEqual([
        ".planning/plan.md",
        ".planning/status.md",
        "src/roman.js",
      ]);
      expect(await stage.leftovers()).toEqual([]);
    },
  );

  test("with --keep leaves project and dashboard open until Ctrl+C", async () => {
    await using stage = await openStage();
    const demo = stage.start(["demo", "--keep"]);
    await demo.says("the files stay in");
    const out = demo.out();
    const url = /Dashboard\s+(http\S+)/.exec(out)?.[1] ?? "";
    expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ healthy: true });
    expect(await (await fetch(url)).text()).toContain("<html");
    const [dataDir = "", id = ""] = (/RALPHER_DATA_DIR=(\S+) bin\/ralpher loop accept (\w+)/.exec(out) ?? []).slice(1);
    const accepted = await stage.run(["loop", "accept", id], { RALPHER_DATA_DIR: dataDir });
    expect(accepted.out).toContain("✓ Merged as");
    demo.signal("SIGINT");
    expect((await demo.ended).code).toBe(0);
    await (await import("node:fs/promises")).rm(dataDir.replace(/\/data$/, ""), { recursive: true, force: true });
  });
});
