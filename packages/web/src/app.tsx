import { useEffect } from "react";
import { Redirect, Route, Switch } from "wouter";
import { preloadQuestions } from "./act/questions.tsx";
import { locked } from "./feed/session.ts";
import { useStore } from "./feed/store.ts";
import { LazyLoopPage, preloadLoopPage } from "./pages/loop/lazy-loop-page.tsx";
import { preloadPalette } from "./palette/lazy-palette.tsx";
import { lazyPage } from "./parts/lazy-page.tsx";
import { loopsFeed, namedLoopRead } from "./shell/feeds.ts";
import { preloadHelp, Shell } from "./shell/shell.tsx";
import { followSystemTheme } from "./theme.ts";
import { wholeId } from "./words/whole-id.ts";

const overview = lazyPage(async () => (await import("./pages/overview/overview.tsx")).Overview);
const create = lazyPage(async () => (await import("./pages/create/create-page.tsx")).CreatePage);
const token = lazyPage(async () => (await import("./pages/token/token-page.tsx")).TokenPage);
const settings = lazyPage(async () => (await import("./pages/settings/settings-page.tsx")).SettingsPage);

const vault = lazyPage(async () => (await import("./pages/vault/vault-page.tsx")).VaultPage);
const workItems = lazyPage(async () => (await import("./pages/work-items/work-items-page.tsx")).WorkItemsPage);

const preloads = new Map([
  ["/", overview.preload],
  ["/new", create.preload],
  ["/settings", settings.preload],
  ["/work-items", workItems.preload],
  ["/vault", vault.preload],
]);

/**
 * Resolves when the page that the address names can be drawn whole. It is fetched at once, beside what it will show, not
 * when it is first rendered.
 */
export const firstPage: Promise<unknown> =
  preloads.get(location.pathname)?.() ?? Promise.all([preloadLoopPage(), namedLoopRead()]);

/** After the first page is up; nobody opens another sooner. */
const preloadAfterMs = 2_000;

/** Tell of the loops by the browser's notifications, once the code for that is here. Returns the way to end it. */
function notifyOfLoops(): () => void {
  let ended = false;
  let unfollow = () => {};
  import("./notify/follow.ts").then(
    ({ followNotifications }) => {
      if (!ended) unfollow = followNotifications(loopsFeed.state);
    },
    () => {},
  );
  return () => {
    ended = true;
    unfollow();
  };
}

/** A loop by its id, or by the beginning of one, as the terminal tells it. */
function NamedLoop({ id, rest }: { id: string; rest: string }) {
  const isWhole = id.length >= 36;
  const found = useStore(loopsFeed.state, ({ loops, status }) =>
    isWhole ? id : (wholeId(id, loops.keys()) ?? (status === "loading" ? null : id)),
  );
  if (found === null) return null;
  if (found === id) return <LazyLoopPage key={id} id={id} />;
  return <Redirect to={`/${found}${rest === "" ? "" : `/${rest}`}${location.search}${location.hash}`} replace />;
}

/** The routes: `/` is the overview, `/new` makes a loop, `/settings`, and `/:id` with its tabs is one loop. */
export function App() {
  const needsToken = useStore(locked, (value) => value);
  useEffect(followSystemTheme, []);
  useEffect(() => {
    let unfollow: (() => void) | null = null;
    const timer = setTimeout(() => {
      for (const preload of preloads.values()) void preload();
      void preloadLoopPage();
      void preloadQuestions();
      void preloadHelp();
      preloadPalette();
      unfollow = notifyOfLoops();
    }, preloadAfterMs);
    return () => {
      clearTimeout(timer);
      unfollow?.();
    };
  }, []);
  if (needsToken) {
    return (
      <token.Page
        onEntered={() => {
          locked.set(false);
          loopsFeed.retry();
        }}
      />
    );
  }
  return (
    <Shell>
      <Switch>
        <Route path="/">
          <overview.Page />
        </Route>
        <Route path="/new">
          <create.Page />
        </Route>
        <Route path="/settings">
          <settings.Page />
        </Route>
        <Route path="/work-items">
          <workItems.Page />
        </Route>
        <Route path="/vault">
          <vault.Page />
        </Route>
        <Route path="/:id/*?">{({ id, "*": rest }) => <NamedLoop id={id} rest={rest ?? ""} />}</Route>
        <Route>
          <Redirect to="/" />
        </Route>
      </Switch>
    </Shell>
  );
}
