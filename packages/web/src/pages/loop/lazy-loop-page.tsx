import { lazyPage } from "../../parts/lazy-page.tsx";
import { useLoopFeed } from "../../shell/feeds.ts";

const { Page, preload } = lazyPage(async () => (await import("./loop-page.tsx")).LoopPage);

/** Fetch the code of the loop's page before it is wanted. */
export const preloadLoopPage = preload;

/** The loop's page; its code comes with the first use, so that the overview is on the screen sooner, and beside it the data. */
export function LazyLoopPage({ id }: { id: string }) {
  const feed = useLoopFeed(id);
  return <Page id={id} feed={feed} />;
}
