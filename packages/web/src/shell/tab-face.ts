import { useEffect } from "react";
import bad from "../assets/icon-bad.svg";
import good from "../assets/icon-good.svg";
import needsYou from "../assets/icon-needs-you.svg";
import quiet from "../assets/icon-quiet.svg";
import running from "../assets/icon-running.svg";
import type { Meaning } from "../words/state.ts";

const icons: Record<Meaning, string> = { bad, good, "needs-you": needsYou, quiet, running };

/** Show the state on the browser's tab: its title, and the colour of its icon's dot. */
export function useTabFace(title: string, meaning: Meaning): void {
  useEffect(() => {
    document.title = title;
    document.querySelector('link[rel="icon"]')?.setAttribute("href", icons[meaning]);
  }, [title, meaning]);
}
