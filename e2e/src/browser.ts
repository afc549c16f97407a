import { type Browser, chromium, type Page } from "playwright-core";
import { findBrowser } from "../../scripts/browser.ts";

/** The browser's path, or null: then journeys through pages are left out. */
export const browserPath = findBrowser();

export interface Look {
  width?: number;
  height?: number;
  scheme?: "light" | "dark";
}

/** A browser of one's own. Pages made by it fail the test when something in them breaks. */
export async function openBrowser() {
  const browser: Browser = await chromium.launch({
    executablePath: browserPath ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  const complaints: string[] = [];
  return {
    /** What pages complained of: uncaught errors, and what they logged as errors. */
    complaints,
    async open(url: string, { width = 1280, height = 800, scheme = "light" }: Look = {}): Promise<Page> {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        // A browser logs every request that fails; a server that is down is part of a journey.
        if (message.type() === "error" && !message.text().includes("net::ERR_")) complaints.push(message.text());
      });
      await page.goto(url);
      return page;
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
