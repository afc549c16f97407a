import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";

/**
 * A list under a field: the arrows move through it while the focus stays in the field, Enter takes what is marked.
 * `start` is what is marked at first; -1 for nothing, so that Enter stays the field's own. `name` is the list's.
 */
export function useListbox(
  count: number,
  onTake: (index: number) => void,
  { name, expanded, start }: { name: string; expanded: boolean; start: 0 | -1 },
) {
  const listId = useId();
  const [marked, setActive] = useState<number>(start);
  const list = useRef<HTMLElement | null>(null);
  const active = marked >= count ? Math.min(start, count - 1) : marked;

  useEffect(() => {
    if (active >= 0) list.current?.querySelector(`[id="${listId}-${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active, listId]);

  const move = (to: number) => setActive(count === 0 ? start : (to + count) % count);
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.nativeEvent.isComposing) return false;
    if (event.key === "ArrowDown") move(active + 1);
    else if (event.key === "ArrowUp") move(active < 0 ? count - 1 : active - 1);
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && active >= 0) onTake(active);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    active,
    reset: () => setActive(start),
    onKeyDown,
    /** For the field. */
    field: {
      role: "combobox" as const,
      "aria-autocomplete": "list" as const,
      "aria-expanded": expanded,
      "aria-controls": listId,
      "aria-activedescendant": active >= 0 ? `${listId}-${active}` : undefined,
      autoComplete: "off",
      spellCheck: false,
    },
    /** For the list. */
    list: { id: listId, role: "listbox" as const, "aria-label": name, ref: list as never },
    /** For each of its options. The press must not take the focus from the field. */
    option: (index: number) => ({
      id: `${listId}-${index}`,
      role: "option" as const,
      "aria-selected": index === active,
      tabIndex: -1,
      onPointerMove: () => setActive(index),
      onPointerDown: (event: { preventDefault(): void }) => event.preventDefault(),
      onClick: () => onTake(index),
    }),
  };
}
