import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { firstRequests } from "../packages/web/src/feed/first-requests.ts";
import { browserPath, openBrowser } from "./src/browser.ts";
import { appendingScript, sleepingScript } from "./src/scripts.ts";
import { eventually, openStage, type Stage } from "./src/stage.ts";

const journey = test.skipIf(browserPath === null);
const axe = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

const opencode = { model: { providerID: "scripted", modelID: "model" } };

async function create(stage: Stage, url: string, more: Record<string, unknown>): Promise<string> {
  const response = await fetch(`${url}/api/loops`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ directory: stage.repository, prompt: "Add lines.", ...more }),
  });
  expect(response.status).toBe(201);
  return (await response.json()).config.id;
}

/** What axe finds that is serious or worse. */
async function serious(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html)
          .join(" ")
          .slice(0, 300)}`,
    );
}

const widerThanScreen = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

describe("the dashboard in a browser, with the real server and the real opencode", () => {
  journey("[R-WEB-1, R-WEB-3, R-WEB-5] a loop is started, watched to its promise, and accepted", async () => {
    await using stage = await openStage(appendingScript(2));
    const { url } = await stage.serve();
    await using browser = await openBrowser();
    const page = await browser.open(url);
    await page.getByText("ralpher loop run").first().waitFor();

    const id = await create(stage, url, { ...opencode, name: "Add two lines" });
    const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Add two lines" });
    await row.getByRole("button", { name: /start/i }).click();
    await row.getByRole("link", { name: "Add two lines" }).click();
    await page.waitForURL(`${url}/${id}`);
    const log = page.getByRole("log");
    await log.getByText("Line 1 is there.", { exact: true }).waitFor();
    await log.getByText("All lines are there.", { exact: true }).first().waitFor();
    await page.getByText("Completed", { exact: false }).first().waitFor();
    expect(await page.title()).toContain("Add two lines");
    await page
      .getByRole("button", { name: /accept/i })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
    await page.getByText("Accepted", { exact: false }).first().waitFor();
    await page.goBack();
    await page.waitForURL(`${url}/`);
    expect(await Bun.file(join(stage.repository, "notes.txt")).text()).toBe("one\nline 1\nline 2\n");
    expect(browser.complaints).toEqual([]);
  });

  journey("[R-WEB-4] a dirty checkout asks what happens to its changes, and goes on with the answer", async () => {
    await using stage = await openStage(appendingScript(1));
    await writeFile(join(stage.repository, "dirty.txt"), "dirty\n");
    const { url } = await stage.serve();
    const id = await create(stage, url, { ...opencode, name: "Dirty" });
    await using browser = await openBrowser();
    const page = await browser.open(`${url}/${id}`);
    await page.getByRole("button", { name: /start/i }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("dirty.txt").waitFor();
    await dialog.getByRole("button", { name: "Leave them" }).click();
    await page.getByText("Completed", { exact: false }).first().waitFor();
    expect(await Bun.file(join(stage.repository, "dirty.txt")).text()).toBe("dirty\n");
  });

  journey(
    "[R-WEB-3, R-SSE-3] the server is killed and comes back while the page is open: it catches up by itself",
    async () => {
      await using stage = await openStage(sleepingScript);
      const first = await stage.serve();
      const id = await create(stage, first.url, { ...opencode, name: "Survivor", start: {} });
      await using browser = await openBrowser();
      const page = await browser.open(`${first.url}/${id}`);
      await page.getByRole("log").getByText("I wait.").waitFor();
      first.server.signal("SIGKILL");
      await first.server.ended;
      await page.getByRole("status", { name: "Connection" }).getByText("Offline").waitFor();
      const again = stage.start(["serve", "--port", new URL(first.url).port]);
      await again.says(" is at http");
      await page.getByRole("status", { name: "Connection" }).getByText("Live").waitFor();
      await eventually(async () => (await page.getByRole("log").getByText("I wait.").count()) >= 2);
      await page.getByRole("button", { name: "Stop" }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped", { exact: false }).first().waitFor();
      expect(browser.complaints).toEqual([]);
    },
  );

  journey("[R-WEB-1] two tabs and a terminal see and steer the same loop", async () => {
    await using stage = await openStage(sleepingScript);
    const { url } = await stage.serve();
    const id = await create(stage, url, { ...opencode, name: "Shared", start: {} });
    await using browser = await openBrowser();
    const list = await browser.open(url);
    const loop = await browser.open(`${url}/${id}`);
    await loop.getByRole("log").getByText("I wait.").waitFor();
    // What the document has the browser ask for ahead is what the page asks for: nothing is asked for twice.
    const asked = (await loop.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name)).map(({ pathname, search }) => pathname + search)",
    )) as string[];
    for (const path of firstRequests(id)) expect(asked.filter((each) => each === path)).toHaveLength(1);
    await list.getByRole("main").getByRole("listitem").filter({ hasText: "Shared" }).getByText("I wait.").waitFor();
    await stage.run(["loop", "pause", "--now", "Shared"]);
    await loop.getByText("Paused", { exact: false }).first().waitFor();
    await list
      .getByRole("main")
      .getByRole("heading", { name: /Needs you/ })
      .waitFor();
    await loop.keyboard.press("p");
    await list
      .getByRole("main")
      .getByRole("listitem")
      .filter({ hasText: "Shared" })
      .getByText("Running", { exact: false })
      .waitFor();
    expect(browser.complaints).toEqual([]);
  });

  journey("[R-WEB-7] is usable by keyboard, on a phone, in light and dark; axe finds nothing serious", async () => {
    await using stage = await openStage();
    const script = join(stage.folder, "script.json");
    await writeFile(script, JSON.stringify(appendingScript(3)));
    const { url } = await stage.serve();
    const names = ["First", "Second", `Long ${"name ".repeat(38)}`];
    const ids = await Promise.all(
      names.map((name) => create(stage, url, { name, backend: { type: "scripted", script }, start: {} })),
    );
    await using browser = await openBrowser();
    for (const scheme of ["light", "dark"] as const) {
      for (const width of [390, 1280, 2200]) {
        const page = await browser.open(url, { width, scheme });
        await eventually(async () => (await page.locator("a[data-loop]").count()) >= 3);
        expect(await serious(page)).toEqual([]);
        expect(await widerThanScreen(page)).toBe(false);
        await page.goto(`${url}/${ids[2]}`);
        await page.getByRole("log").getByText("All lines are there.", { exact: true }).first().waitFor();
        expect(await serious(page)).toEqual([]);
        expect(await widerThanScreen(page)).toBe(false);
        await page.close();
      }
    }
    const page = await browser.open(url);
    await page.locator("a[data-loop]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("log").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.waitForURL(`${url}/**`);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Pause or resume").waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${url}/${crypto.randomUUID()}`);
    await page.getByText("There is no such loop").waitFor();
  });
});
