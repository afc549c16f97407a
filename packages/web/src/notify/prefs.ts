import { createStore } from "../feed/store.ts";

/** What this browser tells of, by the kind of news. */
export interface NotifyPrefs {
  needsYou: boolean;
  ended: boolean;
}

const key = "ralpher.notify";
const off: NotifyPrefs = { needsYou: false, ended: false };

/** Read what was kept, whatever it is; anything that is not a plain yes is a no. */
export function parsePrefs(text: string | null): NotifyPrefs {
  try {
    const kept: unknown = JSON.parse(text ?? "");
    if (typeof kept !== "object" || kept === null) return off;
    const { needsYou, ended } = kept as Record<string, unknown>;
    return { needsYou: needsYou === true, ended: ended === true };
  } catch {
    return off;
  }
}

function read(): NotifyPrefs {
  try {
    return parsePrefs(localStorage.getItem(key));
  } catch {
    return off;
  }
}

/** The choice of this browser. */
export const notifyPrefs = createStore<NotifyPrefs>(typeof localStorage === "undefined" ? off : read());

/** Keep another choice. */
export function choosePrefs(prefs: NotifyPrefs): void {
  notifyPrefs.set(prefs);
  try {
    localStorage.setItem(key, JSON.stringify(prefs));
  } catch {
    // Without storage the choice holds until the page is loaded again.
  }
}
