import { useEffect } from "react";
import { Redirect, Route, Switch } from "wouter";
import { locked } from "./feed/session.ts";
import { useStore } from "./feed/store.ts";
import { followNotifications } from "./notify/follow.ts";
import { LazyLoopPage, preloadLoopPage } from "./pages/loop/lazy-loop-page.tsx";
import { TokenPage } from "./pages/token/token-page.tsx";
import { preloadPalette } from "./palette/lazy-palette.tsx";
import { lazyPage } from "./parts/lazy-page.tsx";
import { loopsFeed } from "./shell/feeds.ts";
import { Shell } from "./shell/shell.tsx";
import { followSystemTheme } from "./theme.ts";

const overview = lazyPage(async () => (await import("./pages/overview/overview.tsx")).Overview);
const create = lazyPage(async () => (await import("./pages/create/create-page.tsx")).CreatePage);
const settings = lazyPage(async () => (await import("./pages/settings/settings-page.tsx")).SettingsPage);

// The page that the address names is fetched at once, beside what it will show, not when it is first rendered.
if (location.pathname === "/") overview.preload();
else preloadLoopPage();

/** After the first page is up; nobody opens another sooner. */
const preloadAfterMs = 2_000;

/** The routes: `/` is the overview, `/new` makes a loop, `/settings`, and `/:id` with its tabs is one loop. */
export function App() {
  const needsToken = useStore(locked, (value) => value);
  useEffect(followSystemTheme, []);
  useEffect(() => followNotifications(loopsFeed.state), []);
  useEffect(() => {
    const timer = setTimeout(() => {
      overview.preload();
      preloadLoopPage();
      create.preload();
      settings.preload();
      preloadPalette();
    }, preloadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (needsToken) {
    return (
      <TokenPage
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
        <Route path="/:id/*?">{({ id }) => <LazyLoopPage key={id} id={id} />}</Route>
        <Route>
          <Redirect to="/" />
        </Route>
      </Switch>
    </Shell>
  );
}
