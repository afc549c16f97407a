// Takes the README's pictures of a real loop: `npm run pictures`.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "./browser.ts";
import { openStage } from "./stage.ts";

const images = join(import.meta.dir, "../../docs/images");

await using stage = await openStage();
const demo = stage.start(["demo", "--keep"]);
await demo.says("the files stay in");
const address = /press Accept at (http\S+)/.exec(demo.out())?.[1] ?? "";
const folder = /the files stay in (\S+)/.exec(demo.out())?.[1];
await using browser = await openBrowser();
for (const scheme of ["light", "dark"] as const) {
  const page = await browser.open(address, { scheme, width: 1280, height: 800 });
  await page.getByRole("button", { name: /^Iteration 3/ }).waitFor();
  await page.getByRole("button", { name: /^Iteration 2/ }).click();
  await page.waitForTimeout(400); // the jump's motion
  await page.screenshot({ path: join(images, `loop-${scheme}.png`) });
  await page.getByRole("navigation", { name: "Parts of the loop" }).getByRole("link", { name: "Changes" }).click();
  await page.getByRole("navigation", { name: "Changed files" }).getByText("roman.js").waitFor();
  await page.waitForTimeout(400); // the grammar's colours
  await page.screenshot({ path: join(images, `changes-${scheme}.png`) });
  await page.close();
}
demo.signal("SIGINT");
await demo.ended;
if (folder !== undefined) await rm(folder, { recursive: true, force: true });
