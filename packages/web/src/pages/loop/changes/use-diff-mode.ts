import { type RefObject, useEffect, useRef, useState } from "react";

export type DiffMode = "unified" | "split";

const key = "ralpher.diff-mode";
/** Two sides need so much room, in pixels. */
const splitFrom = 900;

/** Unified or split, as this browser's reader likes it; where there is no room for two sides, unified all the same. */
export function useDiffMode(): {
  ref: RefObject<HTMLDivElement | null>;
  mode: DiffMode;
  split: boolean;
  setMode: (mode: DiffMode) => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<DiffMode>(() => {
    try {
      return localStorage.getItem(key) === "split" ? "split" : "unified";
    } catch {
      return "unified";
    }
  });
  const [wide, setWide] = useState(true);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= splitFrom));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return {
    ref,
    mode,
    split: mode === "split" && wide,
    setMode: (next) => {
      setMode(next);
      try {
        localStorage.setItem(key, next);
      } catch {
        // Without storage the choice holds until the page is loaded again.
      }
    },
  };
}
