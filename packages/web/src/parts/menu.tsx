import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "./button.tsx";

export interface MenuItem {
  label: string;
  glyph?: ReactNode;
  /** A short word on what it does, shown small beside it. */
  hint?: string;
  /** Destroys something: set apart by its colour. */
  danger?: boolean;
  disabled?: boolean;
  /** A press, or an address: one that ends in a download has `download`. */
  run?: () => void;
  href?: string;
  download?: boolean;
}

/** A button that opens a list of things to do; `groups` are set apart by lines, empty ones left out. */
export function Menu({
  name,
  glyph,
  groups,
  up = false,
  startsOpen = false,
}: {
  name: string;
  glyph: ReactNode;
  groups: MenuItem[][];
  /** It opens upwards: for a button at the bottom of the screen. */
  up?: boolean;
  /** It was pressed before it was here. */
  startsOpen?: boolean;
}) {
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const shown = groups.filter((items) => items.length > 0);
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const close = () => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>("button[aria-haspopup]")?.focus();
  };

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const onPress = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") close();
    else if (event.key === "Tab") setOpen(false);
    else if (to !== undefined) all[(to + all.length) % all.length]?.focus();
    else if (/^[a-z]$/i.test(event.key)) {
      const letter = event.key.toLowerCase();
      const after = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      after.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    } else return;
    // What a key does here it does not do on the page as well.
    event.stopPropagation();
    if (event.key !== "Tab") event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the button and the menu inside
    <div ref={root} className="relative" onKeyDown={onKeyDown}>
      <IconButton
        name={name}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {glyph}
      </IconButton>
      {open && (
        <div
          id={id}
          role="menu"
          aria-label={name}
          className={`absolute right-0 z-30 max-h-[70dvh] w-64 animate-appear overflow-y-auto rounded-lg bg-bg p-1 shadow-over ${up ? "bottom-full mb-1" : "top-full mt-1"}`}
        >
          {shown.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a group has no identity but its place
            <div key={index} role="none" className={index > 0 ? "mt-1 border-t border-line pt-1" : ""}>
              {group.map((item) => (
                <Item key={item.label} item={item} onDone={close} />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function Item({ item, onDone }: { item: MenuItem; onDone: () => void }) {
  const { label, glyph, hint, danger = false, disabled = false, run, href, download = false } = item;
  const className = `flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 py-1 text-left -outline-offset-2 hover:bg-raise focus-visible:bg-raise touch:min-h-11 disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 ${danger ? "text-bad" : "[&_svg]:text-soft"}`;
  const content = (
    <>
      {glyph}
      <span className="flex-1">{label}</span>
      {hint !== undefined && <span className="text-small text-soft">{hint}</span>}
    </>
  );
  if (href !== undefined) {
    return (
      <a
        role="menuitem"
        tabIndex={-1}
        href={href}
        {...(download ? { download: "" } : {})}
        onClick={onDone}
        className={className}
      >
        {content}
      </a>
    );
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={disabled}
      onClick={() => {
        onDone();
        run?.();
      }}
      className={className}
    >
      {content}
    </button>
  );
}
