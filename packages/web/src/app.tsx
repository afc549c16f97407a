import { useEffect } from "react";
import { Redirect, Route, Switch } from "wouter";
import { LazyLoopPage, preloadLoopPage } from "./pages/loop/lazy-loop-page.tsx";
import { Overview } from "./pages/overview/overview.tsx";
import { Shell } from "./shell/shell.tsx";
import { followSystemTheme } from "./theme.ts";

/** After the first page is up; nobody opens a loop sooner. */
const preloadAfterMs = 600;

/** The routes: `/` is the overview, `/:id` one loop. */
export function App() {
  useEffect(followSystemTheme, []);
  useEffect(() => {
    // A failure here is no news yet: the page tries again when it is opened, and tells.
    const timer = setTimeout(() => void preloadLoopPage().catch(() => {}), preloadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Shell>
      <Switch>
        <Route path="/">
          <Overview />
        </Route>
        <Route path="/:id">{({ id }) => <LazyLoopPage key={id} id={id} />}</Route>
        <Route>
          <Redirect to="/" />
        </Route>
      </Switch>
    </Shell>
  );
}
