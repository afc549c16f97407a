import { type RefObject, useEffect } from "react";

/** The loop whose line had the focus last; coming back from its page puts the focus there again. */
let lastFocused: string | null = null;

/** The lines' links, from top to bottom. */
export function rowLinks(root: HTMLElement | null): HTMLAnchorElement[] {
  return [...(root?.querySelectorAll<HTMLAnchorElement>("a[data-loop]") ?? [])];
}

/** Remember which line has the focus, and give it back when the list is shown again. */
export function useKeptFocus(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = ref.current;
    const kept = rowLinks(root).find((link) => link.dataset.loop === lastFocused);
    kept?.focus({ preventScroll: true });
    kept?.scrollIntoView({ block: "nearest" });
    const remember = (event: FocusEvent) => {
      lastFocused = (event.target as HTMLElement).dataset.loop ?? lastFocused;
    };
    root?.addEventListener("focusin", remember);
    return () => root?.removeEventListener("focusin", remember);
  }, [ref]);
}
