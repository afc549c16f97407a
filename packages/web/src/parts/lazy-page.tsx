import { type ComponentType, useEffect, useState } from "react";
import { Delayed } from "./delayed.tsx";
import { NewVersion } from "./new-version.tsx";

/**
 * A page whose code comes with its first use. Not React's lazy: that shows its fallback for a moment even when all is
 * loaded. `preload` fetches the code before it is wanted, and resolves when it is here or cannot be had; repeated calls
 * are free, a failure is told by the page.
 */
export function lazyPage<P extends object>(
  load: () => Promise<ComponentType<P>>,
): { Page: ComponentType<P>; preload: () => Promise<void> } {
  let loaded: ComponentType<P> | null = null;
  const fetchOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  return {
    preload: () =>
      fetchOnce().then(
        () => {},
        () => {},
      ),
    Page(props: P) {
      const [Loaded, setLoaded] = useState<ComponentType<P> | null>(() => loaded);
      const [broken, setBroken] = useState(false);
      // biome-ignore lint/correctness/useExhaustiveDependencies: the same function for the page's whole life
      useEffect(() => {
        if (Loaded !== null) return;
        fetchOnce().then(
          (page) => setLoaded(() => page),
          () => setBroken(true),
        );
      }, [Loaded]);
      if (broken) return <NewVersion />;
      if (Loaded !== null) return <Loaded {...props} />;
      return (
        <Delayed>
          <p role="status" className="px-6 py-16 text-soft">
            Loading…
          </p>
        </Delayed>
      );
    },
  };
}
