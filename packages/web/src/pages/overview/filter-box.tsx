import Search from "lucide-react/icons/search";
import { inputLook } from "../../parts/field.tsx";

/** Narrows the lines as one types; Esc empties it, Enter goes to the first line. */
export function FilterBox({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <div className="relative w-64 max-sm:w-full">
      <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-soft" />
      <input
        type="search"
        aria-label="Filter the loops"
        placeholder="Filter"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            onChange("");
            event.currentTarget.blur();
          }
          if (event.key === "Enter") {
            event.preventDefault();
            document.querySelector<HTMLElement>("main a[data-loop]")?.focus();
          }
        }}
        className={`${inputLook} !min-h-8 pl-8 touch:!min-h-11`}
      />
    </div>
  );
}
