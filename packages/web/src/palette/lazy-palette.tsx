import { lazy, Suspense } from "react";

const load = () => import("./palette.tsx");
const Loaded = lazy(async () => ({ default: (await load()).Palette }));

/** The palette; its code comes with its first use, or a moment before. */
export function LazyPalette(props: { hereId: string | null; onClose: () => void; onHelp: () => void }) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** Fetch the palette's code before it is wanted. */
export function preloadPalette(): void {
  void load().catch(() => {});
}
