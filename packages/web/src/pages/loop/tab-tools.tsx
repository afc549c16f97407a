import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { type Store, useStore } from "../../feed/store.ts";

/** Where the tools of the tab on the screen go; null until it stands. A store, so that nothing but they waits for it. */
export type ToolsPlace = Store<HTMLElement | null>;

/** What the tab on the screen has for tools, put at the end of the line of tabs. */
export function TabTools({ place, children }: { place: ToolsPlace; children: ReactNode }) {
  const element = useStore(place, (value) => value);
  return element === null ? null : createPortal(children, element);
}
