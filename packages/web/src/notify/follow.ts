import { navigate } from "wouter/use-browser-location";
import iconUrl from "../assets/icon-needs-you.svg";
import type { LoopsFeedState } from "../feed/loops-feed.ts";
import type { Store } from "../feed/store.ts";
import { type News, newsBetween } from "./news.ts";
import { notifyPrefs } from "./prefs.ts";

/** More than this at once, as after a night offline, is one notification that says how many. */
const most = 3;

/** Tell of what happens to the loops, by the browser's notifications. Returns the way to end it. */
export function followNotifications(state: Store<LoopsFeedState>): () => void {
  let before = state.get();
  return state.subscribe(() => {
    const after = state.get();
    const last = before;
    before = after;
    // The first list is how things stand, not news.
    if (last.status !== "ready" || !canNotify()) return;
    const lookingAt = document.visibilityState === "visible" && document.hasFocus() ? shownLoop() : null;
    const news = newsBetween(last.loops, after.loops, notifyPrefs.get(), lookingAt);
    if (news.length > most) show({ title: `${news.length} loops have news`, text: "", path: "/", tag: "many" });
    else for (const one of news) show(ofLoop(one));
  });
}

function canNotify(): boolean {
  return "Notification" in window && Notification.permission === "granted";
}

function shownLoop(): string | null {
  return location.pathname.split("/")[1] ?? null;
}

const ofLoop = ({ id, title, text }: News) => ({ title, text, path: `/${id}`, tag: id });

function show({ title, text, path, tag }: { title: string; text: string; path: string; tag: string }): void {
  // The tag makes several tabs of one browser tell it once.
  const notification = new Notification(title, { body: text, icon: iconUrl, tag: `ralpher ${tag}` });
  notification.onclick = () => {
    window.focus();
    navigate(path);
    notification.close();
  };
}
