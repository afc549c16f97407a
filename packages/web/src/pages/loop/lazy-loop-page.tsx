import { useEffect, useState } from "react";
import type { LoopPage } from "./loop-page.tsx";

/** The page's code, once it is here. Not React's lazy: that shows its fallback for a moment even when all is loaded. */
let loaded: typeof LoopPage | null = null;

/** Fetch the code of the loop's page before it is wanted. Repeated calls are free. */
export async function preloadLoopPage(): Promise<typeof LoopPage> {
  loaded ??= (await import("./loop-page.tsx")).LoopPage;
  return loaded;
}

/** The loop's page; its code comes with the first use, so that the overview is on the screen sooner. */
export function LazyLoopPage({ id }: { id: string }) {
  const [Page, setPage] = useState<typeof LoopPage | null>(() => loaded);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    if (Page !== null) return;
    preloadLoopPage().then(
      (page) => setPage(() => page),
      () => setBroken(true),
    );
  }, [Page]);
  if (broken) return <NewVersion />;
  return Page === null ? null : <Page id={id} />;
}

/** The code is gone from the server: it was replaced by a newer one since this page was opened. */
function NewVersion() {
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-start gap-3 px-4 py-16">
      <h1 className="text-title font-semibold">This page did not load</h1>
      <p className="text-soft">The server may have been replaced by a newer one. Load the dashboard again.</p>
      <a href={location.href} className="rounded-sm underline underline-offset-2">
        Load again
      </a>
    </div>
  );
}
