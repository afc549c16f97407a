import { existsSync } from "node:fs";

/** Where Chromium usually is; `CHROMIUM_PATH` says it louder. */
const usual = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** A browser for the journeys, or null. */
export function findBrowser(): string | null {
  const asked = process.env.CHROMIUM_PATH;
  if (asked !== undefined && asked !== "") return existsSync(asked) ? asked : null;
  return usual.find((path) => existsSync(path)) ?? null;
}
