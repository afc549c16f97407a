import { useMemo, useRef, useState } from "react";
import type { RowContext } from "./log-row.tsx";

/** What is folded out. Folding something out stops following: the line one looks at must stay where it is. */
export function useFolds(
  root: string | null,
  unfollow: () => void,
): { context: RowContext; openKeysOf: (key: string) => string } {
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
          unfollow();
          setOpened(next.add(key));
        }
      },
    }),
    [root, unfollow],
  );
  const openKeysOf = (key: string) =>
    [...opened].filter((each) => each === key || each.startsWith(`${key}/`)).join(" ");
  return { context, openKeysOf };
}
