export type Theme = "system" | "light" | "dark";

const key = "ralpher.theme";
const darkQuery = "(prefers-color-scheme: dark)";
/** The page's background, for the browser's own frame on phones. */
const background = { light: "#fafbfc", dark: "#101217" };

const watchers = new Set<() => void>();
/** The choice of this page, for browsers whose storage is closed to us. */
let chosen: Theme | null = null;

/** The choice kept in this browser; the system's when there is none, or storage is closed to us. */
export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return chosen ?? "system";
  }
}

/** Keep the choice and show it. */
export function chooseTheme(theme: Theme): void {
  chosen = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage the choice holds until the page is loaded again.
  }
  applyTheme(theme);
  for (const watcher of [...watchers]) watcher();
}

/** Be told when another theme is chosen. Returns the way to end it. */
export function watchTheme(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Show a theme, without keeping it. */
export function applyTheme(theme: Theme): void {
  const shown = theme === "system" ? (matchMedia(darkQuery).matches ? "dark" : "light") : theme;
  document.documentElement.dataset.theme = shown;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", background[shown]);
}

/** Go along when the system changes between light and dark. Returns the way to end it. */
export function followSystemTheme(): () => void {
  const query = matchMedia(darkQuery);
  const follow = () => applyTheme(readTheme());
  query.addEventListener("change", follow);
  return () => query.removeEventListener("change", follow);
}
