/**
 * How much a tab needs of the server, for a browser allows only six connections to it in all its tabs. `seen`: somebody
 * looks, everything comes as it happens. `unseen`: hidden a moment ago. `asking`: hidden for longer; the stream is let
 * go and the list is asked for now and then. `away`: the page is left and lies in the browser's cache, for "back".
 */
export type Presence = "seen" | "unseen" | "asking" | "away";

/** What happens to a tab; `waited`: it was unseen for some seconds. */
export type PresenceSignal = "shown" | "hidden" | "waited" | "left" | "returned hidden";

export function nextPresence(presence: Presence, signal: PresenceSignal): Presence {
  if (signal === "shown") return "seen";
  if (signal === "left") return "away";
  if (signal === "returned hidden") return "asking";
  // Leaving a page hides it too, before or after.
  if (signal === "hidden") return presence === "seen" ? "unseen" : presence;
  return presence === "unseen" ? "asking" : presence;
}

/** So long a hidden tab keeps its stream: who looks at another for a moment finds nothing to catch up with. */
const waitMs = 5_000;

/**
 * Follow whether somebody looks at this tab, as long as it lives. `onChange` is told each change, not the first. A tab
 * that was opened in the background begins as `asking`.
 */
export function followPresence(onChange: (presence: Presence) => void): { readonly now: Presence } {
  let presence: Presence = document.hidden ? "asking" : "seen";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const signal = (happened: PresenceSignal) => {
    const next = nextPresence(presence, happened);
    if (next === presence) return;
    presence = next;
    clearTimeout(timer);
    if (presence === "unseen") timer = setTimeout(() => signal("waited"), waitMs);
    onChange(presence);
  };
  document.addEventListener("visibilitychange", () => signal(document.hidden ? "hidden" : "shown"));
  window.addEventListener("pagehide", () => signal("left"));
  window.addEventListener("pageshow", () => signal(document.hidden ? "returned hidden" : "shown"));
  return {
    get now() {
      return presence;
    },
  };
}
