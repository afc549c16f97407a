import { useEffect, useRef, useState } from "react";
import { Refusal } from "./refusal.ts";

export type Asked<T> =
  | { state: "none" | "asking" }
  | { state: "here"; value: T }
  | { state: "refused"; refusal: Refusal };

/**
 * Ask the API while there is a key, and again when it is another, `waitMs` after it last changed; `ask` is told the key.
 * With `keep` what was here stays until the next answer.
 */
export function useAsked<T>(
  key: string | null,
  ask: (key: string, options: { init: { signal: AbortSignal } }) => Promise<T>,
  { waitMs = 0, keep = false }: { waitMs?: number; keep?: boolean } = {},
): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ state: "none" });
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === null) {
      setAsked({ state: "none" });
      return;
    }
    const closing = new AbortController();
    setAsked((before) => (keep && before.state === "here" ? before : { state: "asking" }));
    const timer = setTimeout(() => {
      latest.current(key, { init: { signal: closing.signal } }).then(
        (value) => {
          if (!closing.signal.aborted) setAsked({ state: "here", value });
        },
        (error: unknown) => {
          if (closing.signal.aborted) return;
          if (error instanceof Refusal) setAsked({ state: "refused", refusal: error });
          else throw error;
        },
      );
    }, waitMs);
    return () => {
      clearTimeout(timer);
      closing.abort();
    };
  }, [key, waitMs, keep]);
  return asked;
}
