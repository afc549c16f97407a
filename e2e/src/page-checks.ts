import type { Page } from "playwright-core";

const axe = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

/** What axe finds that is serious or worse. */
export async function serious(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
}

/** Must a person scroll sideways? */
export const widerThanScreen = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
