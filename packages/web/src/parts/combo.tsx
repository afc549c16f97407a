import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type FieldIds, inputLook } from "./field.tsx";
import { useListbox } from "./use-listbox.ts";

export interface ComboOption {
  value: string;
  /** What stands in the list; the value when absent. */
  label?: string | undefined;
  hint?: string | undefined;
}

/** A field with suggestions under it; what is typed need not be one of them. */
export function Combo({
  ids,
  value,
  onChange,
  onTake,
  options,
  placeholder,
  listName,
  onFocus,
  mono = false,
  focused = false,
}: {
  ids: FieldIds;
  value: string;
  onChange: (text: string) => void;
  /** A suggestion was chosen; by default that is a change like any other. True: the list stays open for the next. */
  onTake?: ((value: string) => boolean) | undefined;
  options: ComboOption[];
  placeholder?: string | undefined;
  listName: string;
  onFocus?: (() => void) | undefined;
  mono?: boolean;
  /** It has the focus when it appears; its list waits for a key or a press. */
  focused?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const take = (index: number) => {
    const option = options[index];
    if (option === undefined) return;
    listbox.reset();
    if (onTake === undefined) onChange(option.value);
    if (onTake?.(option.value) !== true) setOpen(false);
  };
  const shown = open && options.length > 0;
  const listbox = useListbox(open ? options.length : 0, take, { name: listName, expanded: shown, start: -1 });
  const input = useRef<HTMLInputElement>(null);
  const arriving = useRef(focused);
  useEffect(() => {
    // A finger would get the keyboard over half of the page.
    if (arriving.current && !matchMedia("(pointer: coarse)").matches) input.current?.focus({ preventScroll: true });
    arriving.current = false;
  }, []);
  const up = useRoomAbove(input, shown ? options.length : 0);
  return (
    <div className="relative">
      <input
        ref={input}
        {...ids}
        {...listbox.field}
        value={value}
        placeholder={placeholder}
        onFocus={() => {
          if (!arriving.current) setOpen(true);
          onFocus?.();
        }}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setOpen(true);
          listbox.reset();
          onChange(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" && !open) setOpen(true);
          if (event.key === "Escape" && shown) {
            event.preventDefault();
            event.stopPropagation();
            setOpen(false);
            return;
          }
          // Tab completes a lone suggestion, as in a shell.
          if (event.key === "Tab" && shown && !event.shiftKey && onTake !== undefined && value !== options[0]?.value) {
            if (listbox.active >= 0 || options.length === 1) {
              event.preventDefault();
              take(Math.max(0, listbox.active));
              return;
            }
          }
          listbox.onKeyDown(event);
        }}
        className={`${inputLook} ${mono ? "figure" : ""}`}
      />
      <ul
        {...listbox.list}
        hidden={!shown}
        className={`absolute inset-x-0 z-20 max-h-72 overflow-y-auto rounded-md bg-bg p-1 shadow-over ${up ? "bottom-full mb-1" : "top-full mt-1"}`}
      >
        {shown &&
          options.map((option, index) => (
            <li
              key={option.value}
              {...listbox.option(index)}
              className="flex cursor-pointer items-baseline gap-3 rounded-sm px-2 py-1 aria-selected:bg-raise touch:py-2.5"
            >
              <span className={`min-w-0 flex-1 truncate ${mono ? "figure" : ""}`}>{option.label ?? option.value}</span>
              {option.hint !== undefined && <span className="shrink-0 text-small text-soft">{option.hint}</span>}
            </li>
          ))}
      </ul>
    </div>
  );
}

/** The tallest a list becomes, with its distance, in pixels. */
const listPx = 296;
const rowPx = 32;

/** Must a list of `count` rows stand above its field, because what scrolls around them cuts it off below? */
function useRoomAbove(field: RefObject<HTMLElement | null>, count: number): boolean {
  const [up, setUp] = useState(false);
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null || count === 0) return;
    let around = element.parentElement;
    while (around !== null && !/auto|scroll/.test(getComputedStyle(around).overflowY)) around = around.parentElement;
    const edges = around?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
    const box = element.getBoundingClientRect();
    const needed = Math.min(listPx, count * rowPx + 16);
    setUp(edges.bottom - box.bottom < needed && box.top - edges.top > edges.bottom - box.bottom);
  }, [field, count]);
  return up;
}
