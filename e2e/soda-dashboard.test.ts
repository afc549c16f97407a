import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DurableEvent, EventBody, LoopId } from "@ralpher/contract";
import { openGround, openLab } from "@ralpher/loop/lab";
import { openSodaStage, planNew } from "@ralpher/loop/soda-lab";
import { openServer } from "@ralpher/server";
import { type StoryOptions, tellSoda } from "@ralpher/server/soda-story";
import type { Page } from "playwright-core";
import { browserPath, openBrowser } from "./src/browser.ts";
import { serious, widerThanScreen } from "./src/page-checks.ts";
import { eventually } from "./src/stage.ts";

const journey = test.skipIf(browserPath === null);

let dashboard = "";
beforeAll(async () => {
  if (browserPath === null) return;
  dashboard = join(await mkdtemp(join(tmpdir(), "ralpher-soda-web-")), "dist");
  const build = Bun.spawn([process.execPath, join(import.meta.dir, "../packages/web/build.ts"), dashboard], {
    stdout: "ignore",
  });
  expect(await build.exited).toBe(0);
}, 120_000);
afterAll(async () => {
  if (dashboard !== "") await rm(join(dashboard, ".."), { recursive: true, force: true });
});

/** A server with the real dashboard over loops whose story is told, not run: no agent decides what the page shows. */
async function openTold() {
  const ground = await openGround();
  const lab = openLab({ folder: ground.folder, runs: "adopted" });
  const bugs: unknown[] = [];
  const server = openServer({
    hub: lab.hub,
    hostname: "127.0.0.1",
    port: 0,
    tries: 1,
    token: null,
    version: "9.9.9",
    dashboard: Promise.resolve(dashboard),
    onBug: (error) => bugs.push(error),
  });
  return {
    lab,
    bugs,
    url: server.url,
    directory: ground.repository,
    story: (options: StoryOptions) => tellSoda(lab, ground.repository, options),
    happens: (loopId: LoopId, ...bodies: EventBody[]) => {
      const at = new Date().toISOString();
      return lab.journal.append(loopId, () => bodies.map((body) => ({ ...body, loopId, at }) as DurableEvent));
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
    },
  };
}

const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Parts of the loop" }).getByRole("link", { name, exact: false }).first();

describe("SODA on the dashboard, in a browser", () => {
  journey("[L-HUM-1] a stuck loop says what it needs, and goes on with the answer given in its page", async () => {
    await using told = await openTold();
    const { loopId } = await told.story({ iterations: 4, ending: "stuck" });
    await using browser = await openBrowser();
    const page = await browser.open(told.url);
    await page.getByRole("main").getByRole("link", { name: "A CSV calculator", exact: true }).click();
    const card = page.getByRole("region", { name: "It waits for you" });
    await card.getByText("the registry's token is needed", { exact: false }).waitFor();
    await card.getByText("A missing file ends with a stack trace").waitFor();

    await page.getByRole("link", { name: "Answer" }).first().click();
    await eventually(() => page.evaluate("document.activeElement?.id === 'answer'") as Promise<boolean>);
    await page.keyboard.type("The token is in the vault.");
    await card.getByRole("button", { name: "Answer" }).click();
    await page.getByText("Starting", { exact: false }).first().waitFor();
    await card.waitFor({ state: "detached" });
    const view = await told.lab.hub.require(loopId);
    expect(view.said.map(({ text }) => text)).toEqual(["The token is in the vault."]);
    expect(view.soda?.woken).toBe("a human answered");
    expect([browser.complaints, told.bugs]).toEqual([[], []]);
  });

  journey(
    "[L-HUM-2] from the stuck card one comments on the blocked task; what a terminal says is seen, too",
    async () => {
      await using told = await openTold();
      const { loopId, root } = await told.story({ iterations: 2, ending: "stuck" });
      await using items = told.lab.hub.openWorkItems(told.directory);
      const task = (await items.snapshot(root)).items.find(({ status }) => status === "blocked");
      await using browser = await openBrowser();
      const page = await browser.open(`${told.url}/${loopId}/work-items?item=${task?.id}&comment=1`);
      const box = page.getByRole("textbox", { name: /^Comment on/ });
      await box.waitFor();
      await eventually(() => box.evaluate((element) => element === element.ownerDocument.activeElement));
      await page.keyboard.type("Use the old reader.");
      await page.keyboard.press("Control+Enter");
      const comments = page.getByRole("region", { name: "Comments" });
      await comments.getByText("Use the old reader.").waitFor();
      const said = (await items.require(task?.id ?? "")).comments.at(-1);
      expect(said).toMatchObject({ content: "Use the old reader.", source: "user" });
      await items.comment(task?.id ?? "", { content: "From a terminal.", source: "user" });
      await comments.getByText("From a terminal.").waitFor();
      expect([browser.complaints, told.bugs]).toEqual([[], []]);
    },
  );

  journey("[O-4] a criterion's evidence is found by keyboard, and leads to the changed file", async () => {
    await using told = await openTold();
    const { loopId } = await told.story({ iterations: 3, ending: "completed" });
    await using browser = await openBrowser();
    const page = await browser.open(`${told.url}/${loopId}`);
    const grid = page.getByRole("grid", { name: "Acceptance criteria by iteration" });
    await grid.locator("[data-cell][tabindex='0']").focus();
    await page.keyboard.press("ArrowLeft");
    await grid.getByRole("gridcell", { name: "Iteration 2: satisfied" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/iteration=2/);
    await page.getByText("1 of 3 tasks done").waitFor();
    await page.getByRole("link", { name: "src/parse-1.js:2" }).first().click();
    await page.waitForURL(/\/changes\?file=/);
    await page.getByRole("navigation", { name: "Changed files" }).getByText("parse-1.js").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Review changes" }).waitFor();
    expect([browser.complaints, told.bugs]).toEqual([[], []]);
  });

  journey("[R-WEB-3] the phases of an iteration go on in the page as they happen", async () => {
    await using told = await openTold();
    const { loopId } = await told.story({ iterations: 2, ending: "running", phase: "act" });
    await using browser = await openBrowser();
    const page = await browser.open(`${told.url}/${loopId}`);
    await page.getByRole("region", { name: "Act, under way" }).waitFor();
    const tasks = page.getByRole("list", { name: "Tasks" });
    const second = tasks.getByRole("listitem").filter({ hasText: "Read line by line (2)" }).first();
    await second.getByText("is being worked on").waitFor();
    const taskId = (await told.lab.hub.require(loopId)).soda?.open?.tasks[1]?.id ?? "";
    const report = { outcome: "completed" as const, summary: "It streams now.", new_subtasks: [], learnings: [] };
    await told.happens(
      loopId,
      { type: "loop.task.reported", iteration: 2, taskId, report },
      {
        type: "loop.turn.end",
        iteration: 2,
        promised: false,
        usage: { inputTokens: 1, outputTokens: 1, costUsd: null },
      },
    );
    await second.getByText("tests are being run").waitFor();
    await second.getByText("It streams now.").waitFor();
    await told.happens(loopId, {
      type: "loop.task.end",
      iteration: 2,
      taskId,
      outcome: "completed",
      changes: [],
      learnings: [],
    });
    await second.getByText("completed").waitFor();
    await tab(page, "Log").click();
    await page.getByRole("log").getByText("Sensed").first().waitFor();
    await page.getByRole("log").getByText("Completed").first().waitFor();
    expect([browser.complaints, told.bugs]).toEqual([[], []]);
  });

  journey("[W-5] work items are made, closed with a reason and opened again by keyboard", async () => {
    await using told = await openTold();
    const { root } = await told.story({ iterations: 2, ending: "stuck" });
    await using browser = await openBrowser();
    const page = await browser.open(`${told.url}/work-items`);
    await page.getByRole("list", { name: "Work items" }).getByText("A CSV calculator").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "A CSV calculator" }).waitFor();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Write the notes");
    await dialog.getByRole("button", { name: "Create" }).click();
    const item = page.getByRole("article", { name: "Write the notes" });
    await item.getByText("Ready: nothing stands in its way.").waitFor();
    await page.keyboard.press("x");
    await dialog.getByRole("textbox", { name: "Why" }).fill("Nobody reads them.");
    await dialog.getByRole("button", { name: "Close it" }).click();
    await item.getByText("Nobody reads them.").waitFor();
    await item.getByRole("button", { name: "Reopen" }).click();
    await item.getByRole("button", { name: "Close", exact: true }).waitFor();
    await using items = told.lab.hub.openWorkItems(told.directory);
    const made = (await items.list()).find(({ title }) => title === "Write the notes");
    expect(made).toMatchObject({ status: "open", dependencies: [] });
    expect((await items.require(root)).status).toBe("open");
    expect([browser.complaints, told.bugs]).toEqual([[], []]);
  });

  journey(
    "[R-WEB-7] axe finds nothing serious, and no page is wider than the screen, in light and dark",
    async () => {
      await using told = await openTold();
      const { loopId, root } = await told.story({ iterations: 12, criteria: 30, ending: "stuck" });
      const { loopId: acting } = await told.story({ name: "Running", iterations: 2, ending: "running", phase: "act" });
      const { loopId: done } = await told.story({ name: "Done", iterations: 2, ending: "completed" });
      await using browser = await openBrowser();
      const looks: { path: string; text: string }[] = [
        { path: `/${loopId}`, text: "It waits for you" },
        { path: `/${loopId}/soda?iteration=2`, text: "2 tests that passed before fail now" },
        { path: `/${acting}`, text: "is being worked on" },
        { path: `/${done}`, text: "What was done" },
        { path: `/${loopId}/spec`, text: "As it was last read from" },
        { path: `/${loopId}/work-items?item=${root}`, text: "See Sodafile." },
        { path: `/work-items?directory=${encodeURIComponent(told.directory)}`, text: "Running" },
        { path: `/${loopId}/log`, text: "Oriented" },
      ];
      for (const scheme of ["light", "dark"] as const) {
        for (const width of [390, 1280, 2200]) {
          const page = await browser.open(told.url, { width, scheme });
          for (const { path, text } of looks) {
            await page.goto(`${told.url}${path}`);
            await page.getByRole("main").getByText(text, { exact: false }).first().waitFor();
            expect({ path, width, scheme, serious: await serious(page), wider: await widerThanScreen(page) }).toEqual({
              path,
              width,
              scheme,
              serious: [],
              wider: false,
            });
          }
          await page.goto(`${told.url}/new`);
          await page.getByRole("radio", { name: /SODA/ }).check();
          await page.getByRole("textbox", { name: "Spec" }).waitFor();
          expect(await serious(page)).toEqual([]);
          await page.close();
        }
      }
      expect([browser.complaints, told.bugs]).toEqual([[], []]);
    },
    240_000,
  );

  journey(
    "[L-HUM-1, L-HUM-4, L-ITER-6] a real run, watched: it works, is stuck, is answered in its page, and is done",
    async () => {
      const criterion = (satisfied: boolean) => ({
        criterion: "it greets in the language asked for",
        satisfied,
        evidence: satisfied ? [{ file: "greet.ts" }] : [],
      });
      await using stage = await openSodaStage({
        orient: ({ iteration, prompt }) => {
          if (iteration === 1) return { ...planNew("Lay the ground"), criteria: [criterion(false)] };
          if (prompt.includes("In French")) {
            return {
              spec_satisfied: true,
              actionable_work_exists: false,
              criteria: [criterion(true)],
              summary: "it greets in French",
            };
          }
          const gaps = [{ severity: "critical", description: "Which language does it greet in?" }];
          return { actionable_work_exists: false, criteria: [criterion(false)], gaps };
        },
        execute: async ({ directory }) => void (await writeFile(join(directory, "greet.ts"), "export {};\n")),
      });
      const bugs: unknown[] = [];
      await using server = openServer({
        hub: stage.hub,
        hostname: "127.0.0.1",
        port: 0,
        tries: 1,
        token: null,
        version: "9.9.9",
        dashboard: Promise.resolve(dashboard),
        onBug: (error) => bugs.push(error),
      });
      await using browser = await openBrowser();
      const page = await browser.open(server.url);
      const id = await stage.begin();
      await page.getByRole("main").getByRole("link", { name: "Greeter", exact: true }).click();
      const card = page.getByRole("region", { name: "It waits for you" });
      await card.getByText("Which language does it greet in?").first().waitFor();
      await card.getByRole("textbox").fill("In French");
      await card.getByRole("button", { name: "Answer" }).click();
      await card.waitFor({ state: "detached" });
      await page.getByText("it greets in French").first().waitFor();
      await page.getByText("Greeter: done").waitFor();
      expect((await stage.hub.require(id)).phase.status).toBe("completed");
      await page.getByRole("link", { name: "Review changes" }).first().click();
      await page.getByText("greet.ts").first().waitFor();
      expect([browser.complaints, bugs, stage.troubles]).toEqual([[], [], []]);
    },
    120_000,
  );
});
