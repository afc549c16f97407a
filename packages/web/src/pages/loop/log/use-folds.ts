import { useCallback, useMemo, useRef, useState } from "react";
import type { RowContext } from "./log-row.tsx";

export interface Folds {
  context: RowContext;
  openKeysOf: (key: string) => string;
  /** Fold out all of these. */
  open: (keys: string[]) => void;
}

/** What is folded out. `onOpen`: the line one looks at must stay where it is. */
export function useFolds(root: string | null, onOpen: () => void): Folds {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(opened);
  latest.current = opened;
  const context = useMemo<RowContext>(
    () => ({
      root,
      isOpen: (key) => latest.current.has(key),
      toggle: (key) => {
        const next = new Set(latest.current);
        if (next.delete(key)) setOpened(next);
        else {
          onOpen();
          setOpened(next.add(key));
        }
      },
    }),
    [root, onOpen],
  );
  const openKeysOf = (key: string) =>
    [...opened].filter((each) => each === key || each.startsWith(`${key}/`)).join(" ");
  const open = useCallback((keys: string[]) => {
    if (keys.some((key) => !latest.current.has(key))) setOpened(new Set([...latest.current, ...keys]));
  }, []);
  return { context, openKeysOf, open };
}
