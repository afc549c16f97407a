import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGround, openLab } from "@ralpher/loop/lab";
import { openTaskStage } from "@ralpher/loop/task-lab";
import { openServer } from "@ralpher/server";
import { layVault, type TaskEnding, tellTask } from "@ralpher/server/task-story";
import type { Page } from "playwright-core";
import { browserPath, openBrowser } from "./src/browser.ts";
import { serious, widerThanScreen } from "./src/page-checks.ts";
import { eventually } from "./src/stage.ts";

const journey = test.skipIf(browserPath === null);

let dashboard = "";
beforeAll(async () => {
  if (browserPath === null) return;
  dashboard = join(await mkdtemp(join(tmpdir(), "ralpher-task-web-")), "dist");
  const build = Bun.spawn([process.execPath, join(import.meta.dir, "../packages/web/build.ts"), dashboard], {
    stdout: "ignore",
  });
  expect(await build.exited).toBe(0);
}, 120_000);
afterAll(async () => {
  if (dashboard !== "") await rm(join(dashboard, ".."), { recursive: true, force: true });
});

function serve(hub: Parameters<typeof openServer>[0]["hub"]) {
  const bugs: unknown[] = [];
  const server = openServer({
    hub,
    hostname: "127.0.0.1",
    port: 0,
    tries: 1,
    token: null,
    version: "9.9.9",
    dashboard: Promise.resolve(dashboard),
    onBug: (error) => bugs.push(error),
  });
  return { server, bugs };
}

/** A real vault whose agent plays its steps as told, behind the real server and dashboard. */
async function openServed(...args: Parameters<typeof openTaskStage>) {
  const stage = await openTaskStage(...args);
  const { server, bugs } = serve(stage.hub);
  return {
    ...stage,
    bugs,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

const task = (page: Page) => page.getByRole("region", { name: "Task", exact: true });
const stepNamed = (page: Page, key: string) => task(page).locator(`[data-step="${key}"]`);

describe("tasks on the dashboard, in a browser", () => {
  journey("[T-ITER-2] the steps of a task are worked on and ticked before one's eyes, until it is filed", async () => {
    const gates = new Map(["One", "Two", "Three"].map((step) => [step, Promise.withResolvers<void>()]));
    await using all = await openServed(async ({ step }) => {
      await gates.get(step)?.promise;
      return { summary: `${step} is **there**.`, action: "write_code" };
    });
    const id = await all.begin();
    await using browser = await openBrowser();
    const page = await browser.open(`${all.url}/${id}`);
    for (const key of ["One", "Two", "Three"]) {
      const step = stepNamed(page, key);
      await step.getByRole("img", { name: "Under way:" }).waitFor();
      await step.getByText("is being worked on").waitFor();
      gates.get(key)?.resolve();
      await step.getByRole("img", { name: "Done:" }).waitFor();
    }
    await page.getByText("The task is done", { exact: false }).first().waitFor();
    await task(page).getByText("3 of 3 done").waitFor();
    await task(page).getByText("/Done/auth/tasks.md").waitFor();
    const strip = task(page).getByRole("toolbar", { name: "Iterations of the task" });
    await strip.getByRole("button", { name: /^Iteration 2, Two: write_code, done/ }).click();
    await page.getByRole("log").getByText("Ticked").first().waitFor();
    await page.getByRole("log").getByText("Two is **there**.", { exact: false }).first().waitFor();
    expect([browser.complaints, all.bugs, all.troubles]).toEqual([[], [], []]);
  });

  journey("[T-END-3] a task that failed asks, is found among what needs one, and is answered in its page", async () => {
    let works = false;
    await using all = await openServed(
      () => (works ? {} : { result: "failure", action: "run_tests", error: "Test failed: auth" }),
      { config: "  failure_threshold: 2" },
    );
    const { id } = await all.run();
    await using browser = await openBrowser();
    const page = await browser.open(all.url);
    const line = page.getByRole("listitem").filter({ has: page.locator(`a[data-loop="${id}"]`) });
    await line.getByText("It asks you how to go on", { exact: false }).waitFor();
    await line.getByRole("link", { name: "Answer" }).click();
    const card = page.getByRole("region", { name: "It failed, and asks you" });
    await card.getByRole("button", { name: "Try again" }).waitFor();
    await eventually(() => page.evaluate("document.activeElement?.id === 'answer'") as Promise<boolean>);
    await card.getByText("Last errors").click();
    await card.getByText("Test failed: auth").first().waitFor();
    works = true;
    await card.getByRole("button", { name: "Try again" }).press("Enter");
    await card.waitFor({ state: "detached" });
    await page.getByText("The task is done", { exact: false }).first().waitFor();
    expect((await all.hub.require(id)).phase.status).toBe("completed");
    await page.goto(all.url);
    const done = page.getByRole("region", { name: "Done" });
    await done.getByText("Three steps").waitFor();
    await done.getByTitle("3 of 3 steps done").waitFor();
    // The beginning of its id, as the terminal tells it.
    await page.goto(`${all.url}/${id.slice(0, 8)}/iterations`);
    await page.waitForURL(`${all.url}/${id}/iterations`);
    const iterations = page.getByRole("region", { name: "Iterations" });
    await iterations.getByText("Three", { exact: true }).waitFor();
    await iterations.getByText("done", { exact: true }).first().waitFor();
    expect([browser.complaints, all.bugs, all.troubles]).toEqual([[], [], []]);
  });

  journey("[T-END-4, T-INJ-1] a task is stopped from its page, told something for later, and resumed", async () => {
    const gate = Promise.withResolvers<void>();
    await using all = await openServed(async () => await gate.promise, {
      config: "  check_reinject_every_n_iterations: 1",
    });
    const id = await all.begin();
    await using browser = await openBrowser();
    const page = await browser.open(`${all.url}/${id}`);
    await stepNamed(page, "One").getByText("is being worked on").waitFor();
    await page.keyboard.press("s");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Why" }).fill("The server is moved");
    await dialog.getByRole("button", { name: "Stop after this iteration" }).click();
    await dialog.waitFor({ state: "detached" });
    await eventually(() =>
      all.vault
        .readConfig()
        .then((config) => all.vault.readStopHook(config))
        .then((hook) => hook !== null),
    );
    gate.resolve();
    const card = page.getByRole("region", { name: "It was stopped" });
    await card.waitFor();
    await stepNamed(page, "One").getByRole("img", { name: "Done:" }).waitFor();
    expect((await all.hub.require(id)).iteration).toBe(1);
    expect((await all.handOff()).text).toContain("The server is moved");

    await task(page).getByRole("textbox", { name: "Say it to the loop after iteration 1" }).fill("Use OAuth2.");
    await task(page).getByRole("button", { name: "Put down" }).click();
    await task(page).getByText("Waits", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume", exact: true }).first().click();
    await card.waitFor({ state: "detached" });
    await page.getByText("The task is done", { exact: false }).first().waitFor();
    expect(all.seen.map(({ step, prompt }) => [step, prompt.includes("Use OAuth2.")])).toEqual([
      ["One", false],
      ["Two", true],
      ["Three", false],
    ]);
    await page.getByRole("link", { name: "Log", exact: false }).first().click();
    await page.getByRole("log").getByText("Put down by you").waitFor();
    expect([browser.complaints, all.bugs, all.troubles]).toEqual([[], [], []]);
  });

  journey("a folder becomes a vault in the page, and a task of it is chosen, started and watched there", async () => {
    const gate = Promise.withResolvers<void>();
    await using all = await openServed(async () => await gate.promise);
    const fresh = join(all.folder, "fresh");
    await mkdir(fresh);
    await using browser = await openBrowser();
    const page = await browser.open(`${all.url}/vault`);
    await page
      .getByRole("textbox", { name: "Folder" })
      .or(page.getByRole("combobox", { name: "Folder" }))
      .fill(fresh);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("button", { name: "Lay it out" }).click();
    await page.getByText("Nothing is open.", { exact: false }).waitFor();

    await page.goto(`${all.url}/vault?directory=${encodeURIComponent(all.root)}`);
    await page.getByRole("link", { name: "Start Three steps" }).click();
    await page.getByRole("radio", { name: /^Task/ }).waitFor();
    await page.getByRole("radio", { name: /Scripted/ }).check();
    await page.getByLabel("Script", { exact: true }).fill(join(all.folder, "none.json"));
    await page.getByRole("button", { name: "Create and start" }).click();
    await stepNamed(page, "One").getByText("is being worked on").waitFor();
    await page.getByRole("link", { name: "All its tasks" }).click();
    const open = page.getByRole("region", { name: /^Open/ });
    await open.getByText("Running").waitFor();
    gate.resolve();
    await page.getByRole("region", { name: /^Done/ }).getByText("Three steps").waitFor();
    await page.getByText("Nothing is open.", { exact: false }).waitFor();
    // The browser logs that the folder was no vault at first.
    expect(browser.complaints.filter((text) => !text.includes("400"))).toEqual([]);
    expect([all.bugs, all.troubles]).toEqual([[], []]);
  });

  journey(
    "[R-WEB-7] axe finds nothing serious in tasks and vaults, and no page is wider than the screen, in light and dark",
    async () => {
      await using ground = await openGround();
      const vault = join(ground.folder, "Notes");
      await mkdir(join(vault, "Control"), { recursive: true });
      await layVault(vault);
      await using lab = openLab({ folder: ground.folder, runs: "adopted" });
      const { server, bugs } = serve(lab.hub);
      await using _ = server;
      const tell = (name: string, ending: TaskEnding, before = 0) =>
        tellTask(lab, vault, { title: `About ${name}`, name, ending, before });
      const { loopId: working } = await tell("working", "working");
      const { loopId: checked } = await tell("checked", "checked");
      const { loopId: failed } = await tell("failed", "error_report");
      const { loopId: limited } = await tell("limited", "escalation", 80);
      const { loopId: done } = await tell("done", "completed");
      const { loopId: stopped } = await tell("stopped", "stop_report");
      const where = encodeURIComponent(vault);
      const looks: { path: string; text: string }[] = [
        { path: `/${working}`, text: "is being worked on" },
        { path: `/${checked}`, text: "it ended with 1" },
        { path: `/${failed}`, text: "It failed, and asks you" },
        { path: `/${failed}/log`, text: "Check failed" },
        { path: `/${limited}`, text: "It came to its limit, and asks you" },
        { path: `/${done}`, text: "Report" },
        { path: `/${stopped}`, text: "The vault is told to stop" },
        { path: `/vault?directory=${where}`, text: "The newsletter of March" },
        { path: `/new?vault=${where}&file=/Specs/backup.md`, text: "Each of its boxes is a step" },
        { path: "/", text: "It asks you how to go on" },
      ];
      await using browser = await openBrowser();
      const screens = { light: [390, 1280], dark: [390, 2200] };
      for (const scheme of ["light", "dark"] as const) {
        for (const width of screens[scheme]) {
          const page = await browser.open(server.url, { width, scheme });
          for (const { path, text } of looks) {
            await page.goto(`${server.url}${path}`);
            await page.getByRole("main").getByText(text, { exact: false }).first().waitFor();
            expect({ path, width, scheme, serious: await serious(page), wider: await widerThanScreen(page) }).toEqual({
              path,
              width,
              scheme,
              serious: [],
              wider: false,
            });
          }
          await page.close();
        }
      }
      expect([browser.complaints, bugs]).toEqual([[], []]);
    },
    240_000,
  );
});
