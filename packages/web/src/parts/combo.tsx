import { useState } from "react";
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
  return (
    <div className="relative">
      <input
        {...ids}
        {...listbox.field}
        value={value}
        placeholder={placeholder}
        onFocus={() => {
          setOpen(true);
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
        className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-md bg-bg p-1 shadow-over"
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
