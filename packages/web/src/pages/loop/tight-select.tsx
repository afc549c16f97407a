import ListFilter from "lucide-react/icons/list-filter";
import type { ReactNode } from "react";

/** A choice among a few; on a phone only its glyph shows, and a press opens the same list. */
export function TightSelect({
  name,
  value,
  onChange,
  chosen,
  className = "",
  children,
}: {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** Something else than the ordinary is chosen. */
  chosen: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={`relative inline-flex min-w-0 items-center justify-center rounded-md hover:bg-raise max-sm:size-8 max-sm:touch:size-11 ${chosen ? "font-medium text-run" : "text-soft"}`}
    >
      <ListFilter aria-hidden="true" className="size-4 shrink-0 sm:hidden" />
      <select
        aria-label={name}
        title={name}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`h-8 min-w-0 cursor-pointer rounded-md bg-transparent px-1.5 [field-sizing:content] touch:h-11 max-sm:absolute max-sm:inset-0 max-sm:w-full max-sm:opacity-0 ${className}`}
      >
        {children}
      </select>
    </span>
  );
}
