import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Loop } from "@ralpher/contract";
import { browserPath, openBrowser } from "./src/browser.ts";
import { eventually, git, openStage } from "./src/stage.ts";

const journey = test.skipIf(browserPath === null);

/** Appends a line in each iteration, the first one only when a file `go` lies in the tree. */
const gatedScript = {
  conversations: [
    {
      when: "This is iteration 1 ",
      steps: [
        {
          text: "I look around first, and then I wait for the gate to open.",
          tools: [
            {
              name: "bash",
              input: {
                command: 'until [ -e go ]; do sleep 0.05; done; rm go; echo "line 1" >> notes.txt',
                description: "Add a line",
              },
            },
          ],
        },
        { text: "Line 1 is there." },
      ],
    },
    {
      when: "This is iteration 2 ",
      steps: [
        {
          text: "I add the last line.",
          tools: [{ name: "bash", input: { command: 'echo "line 2" >> notes.txt', description: "Add a line" } }],
        },
        { text: "All lines are there.\n\n<promise>COMPLETE</promise>" },
      ],
    },
  ],
};

/** A browser logs every answer that refuses; here they are part of the journey. */
const unexpected = (complaints: string[]) => complaints.filter((text) => !text.includes("409 (Conflict)"));

describe("a loop from the form to the merge, in a browser, with the real opencode", () => {
  journey(
    "[R-WEB-2, R-WEB-3, R-WEB-4, R-WEB-6] create, dirty, watch, pause, edit, resume, read the diff, accept",
    async () => {
      await using stage = await openStage(gatedScript);
      await writeFile(join(stage.repository, "dirty.txt"), "mine\n");
      const { url } = await stage.serve();
      await using browser = await openBrowser();
      const page = await browser.open(url);

      await page.getByRole("link", { name: "New loop" }).first().click();
      await page.getByRole("combobox", { name: "Folder" }).fill(stage.repository);
      await page.getByLabel("Goal", { exact: true }).fill("Add lines to notes.txt.");
      await page.getByRole("combobox", { name: "Model" }).fill("scripted/model");
      await page.locator("summary", { hasText: "More" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Two lines");
      await page.getByRole("button", { name: "Create and start" }).click();
      const dirty = page.getByRole("dialog");
      await dirty.getByText("dirty.txt").waitFor();
      await dirty.getByRole("button", { name: /stash|aside/i }).click();
      await page.waitForURL(/[0-9a-f-]{36}$/);
      const id = new URL(page.url()).pathname.slice(1);
      const loop = async (): Promise<Loop> => await (await fetch(`${url}/api/loops/${id}`)).json();

      const log = page.getByRole("log");
      await log.getByText("I look around first", { exact: false }).waitFor();
      expect(await Bun.file(join(stage.repository, "dirty.txt")).exists()).toBe(false);
      await page.getByRole("button", { name: "Pause" }).first().click();
      await eventually(async () => (await loop()).state.asked === "pause");
      await writeFile(join((await loop()).state.git?.worktree ?? "", "go"), "");
      await eventually(async () => (await loop()).state.status === "paused");

      await page.getByRole("button", { name: /^More/ }).first().click();
      await page.getByRole("menuitem", { name: "Edit goal and limits" }).click();
      const edit = page.getByRole("dialog");
      await edit.getByLabel("Goal", { exact: true }).fill("Add lines to notes.txt, and leave the rest alone.");
      await edit.getByLabel("Most iterations").fill("5");
      await edit.getByRole("button", { name: "Save" }).click();
      await eventually(async () => (await loop()).config.maxIterations === 5);
      await page.getByRole("textbox", { name: "Say something to the loop" }).fill("Mind the last line.");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("list", { name: "What you said" }).getByText("Mind the last line.").waitFor();
      await page.getByRole("button", { name: "Resume" }).first().click();
      await log.getByText("All lines are there.", { exact: false }).first().waitFor();
      await eventually(async () => (await loop()).state.status === "completed");
      const iterations = await (await fetch(`${url}/api/loops/${id}/iterations`)).json();
      expect(iterations.map(({ prompt }: { prompt: string }) => prompt.includes("Mind the last line."))).toEqual([
        false,
        true,
      ]);
      await page.keyboard.press("/");
      await page.getByRole("search").getByRole("textbox").fill("gate to open");
      await page.keyboard.press("Enter");
      const marked =
        "[...CSS.highlights.values()].some((marks) => [...marks].some((mark) => String(mark) === 'gate to open'))";
      await eventually(() => page.evaluate<boolean>(marked));
      await page.keyboard.press("Escape");
      // The stash is given back when the loop ends.
      await eventually(() => Bun.file(join(stage.repository, "dirty.txt")).exists());

      await page
        .getByRole("navigation", { name: "Parts of the loop" })
        .getByRole("link", { name: /^Iterations/ })
        .click();
      await page.getByText("leave the rest alone", { exact: false }).first().waitFor();
      await page
        .getByRole("navigation", { name: "Parts of the loop" })
        .getByRole("link", { name: /^Changes/ })
        .click();
      await page.waitForURL(`${url}/${id}/changes`);
      await page
        .getByText(/^line 2$/)
        .first()
        .waitFor();
      await page.getByRole("navigation", { name: "Parts of the loop" }).getByRole("link", { name: /^Git/ }).click();
      await page
        .getByText((await loop()).state.git?.workingBranch ?? "", { exact: false })
        .first()
        .waitFor();
      await page
        .getByRole("button", { name: /accept/i })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
      await eventually(async () => (await loop()).state.status === "accepted");
      expect(await Bun.file(join(stage.repository, "notes.txt")).text()).toBe("one\nline 1\nline 2\n");
      expect(await git(stage.repository, "log", "-1", "--format=%P")).toContain(" ");
      expect(unexpected(browser.complaints)).toEqual([]);
    },
  );

  journey(
    "[R-GIT-5, R-WEB-7] a conflict is told with its files, nothing changes, and what helps is offered",
    async () => {
      await using stage = await openStage(gatedScript);
      const { url } = await stage.serve();
      const created = await fetch(`${url}/api/loops`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...{ name: "Clash", directory: stage.repository, prompt: "Add lines." },
          ...{ model: { providerID: "scripted", modelID: "model" }, maxIterations: 1, start: {} },
        }),
      });
      const { config } = (await created.json()) as Loop;
      const loop = async (): Promise<Loop> => await (await fetch(`${url}/api/loops/${config.id}`)).json();
      await eventually(async () => (await loop()).state.git !== undefined);
      await writeFile(join((await loop()).state.git?.worktree ?? "", "go"), "");
      await eventually(async () => (await loop()).state.status === "max_iterations");
      await writeFile(join(stage.repository, "notes.txt"), "one\nsomething else\n");
      await git(stage.repository, "commit", "-qam", "in the way");
      const head = await git(stage.repository, "rev-parse", "HEAD");

      await using browser = await openBrowser();
      const page = await browser.open(`${url}/${config.id}/git`);
      await page
        .getByRole("button", { name: /accept/i })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
      await page.getByRole("dialog").getByText("notes.txt", { exact: false }).first().waitFor();
      expect(await git(stage.repository, "rev-parse", "HEAD")).toBe(head);
      expect((await loop()).state.status).toBe("max_iterations");
      expect(unexpected(browser.complaints)).toEqual([]);
    },
  );
});
